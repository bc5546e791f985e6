//! Files of students: read if they are small, plain and text; nothing in them is obeyed.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Larger answers are no answers.
pub(crate) const LARGEST_SHEET: u64 = 64 << 10;

/// Larger tables are not of these labs.
pub(crate) const LARGEST_TABLE: u64 = 4 << 20;

/// The text of a file of at most `largest` bytes, or a remark why there is none. Links are not followed, pipes and
/// devices not opened.
pub(crate) fn read_small(path: &Path, largest: u64) -> Result<String, String> {
    let about = fs::symlink_metadata(path).map_err(|_| "is missing".to_owned())?;
    if about.is_symlink() {
        return Err("is a link, which is not followed".into());
    }
    if !about.is_file() {
        return Err("is not a file".into());
    }
    let too_large = || format!("is larger than {} KiB", largest >> 10);
    if about.len() > largest {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // It may have grown since.
    let file = File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
    let read = file.take(largest + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > largest {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|_| "is not text in UTF-8".into())
}

#[cfg(test)]
mod tests {
    use super::read_small;

    #[test]
    fn only_small_plain_text_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("good"), "text").expect("a file");
        std::fs::write(path("binary"), [0xff, 0xfe]).expect("a file");
        std::os::unix::fs::symlink(path("good"), path("link")).expect("a link");
        let read = |name: &str| read_small(&path(name), 4);
        assert_eq!(read("good"), Ok("text".into()));
        for (name, remark) in [("none", "missing"), ("binary", "UTF-8"), ("link", "link")] {
            assert!(read(name).expect_err(name).contains(remark), "{name}");
        }
        assert!(read(".").expect_err("a folder").contains("not a file"));
        assert!(read_small(&path("good"), 3).expect_err("large").contains("larger"));
        assert!(read_small("/dev/zero".as_ref(), 3).expect_err("a device").contains("not a file"));
    }
}
