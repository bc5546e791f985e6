//! Results to standard output, remarks to standard error. What comes from case files and references is
//! shown, not obeyed: a terminal would take some characters as commands.

use std::io::{ErrorKind, Write};

use vortice_core::{Error, Result};

/// Prints a result. A reader that has gone away (`vortice cases | head -1`) is no failure.
pub(crate) fn result(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(harmless(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::file("standard output", error, "send the output elsewhere"))
        }
        _ => Ok(()),
    }
}

/// Prints a remark. Where it cannot be read it is not missed.
pub(crate) fn remark(text: &str) {
    painted(&harmless(text));
}

/// Prints a remark whose colours are the program's own.
pub(crate) fn painted(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// A text in which characters that command a terminal, or turn the direction of writing, are spelt out.
pub(crate) fn harmless(text: &str) -> String {
    let commands = |c: char| {
        let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        turns || (c.is_control() && c != '\n' && c != '\t')
    };
    if !text.contains(commands) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if commands(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn characters_that_command_a_terminal_are_spelt_out() {
        assert_eq!(harmless("\u{1b}[2Jx\r\u{9b}1m\u{7}"), "\\u{1b}[2Jx\\r\\u{9b}1m\\u{7}");
        assert_eq!(harmless("a \u{202e}b"), "a \\u{202e}b");
        let plain = "B\u{e9}nard, Re = 1000:\t1 \u{3bc}m\n";
        assert_eq!(harmless(plain), plain);
    }
}
