//! The XDMF companion of a file of fields on the disk: it grows by a step at a cost that does not rise with their number.
//!
//! Behind its last step there is room: an instruction of XML, which readers skip, full of blanks. A step is written into the
//! room, with the beginning of what is left of it, and brought to the disk; then eight bytes publish it: the old beginning
//! of the room turns into blanks. So the file is well-formed at each moment, whenever the run or the machine stops.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use vortice_core::{Result, write_beside};

use crate::xdmf::Xdmf;

/// What room begins with; it lies at a multiple of its own length, so that no disk writes half of it.
const ROOM: &[u8; 8] = b"<?room  ";
const ROOM_END: &str = "?>\n";

/// Bytes of room: as many as the steps have, within these.
const LEAST: usize = 1 << 12;
const MOST: usize = 1 << 20;

/// A companion to which steps are appended.
pub(crate) struct Companion {
    file: File,
    /// Bytes before the room, and before its end.
    room: [usize; 2],
}

impl Companion {
    /// Writes a companion of all steps, in place of an older one, and with room for more.
    ///
    /// # Errors
    /// If the folder or disk refuses.
    pub(crate) fn create(path: &Path, steps: String) -> Result<Self> {
        let steps = padded(Xdmf::BEGIN.to_owned() + &steps);
        let blanks = " ".repeat(steps.len().clamp(LEAST, MOST));
        write_beside(path, |file| {
            [steps.as_bytes(), ROOM, blanks.as_bytes(), ROOM_END.as_bytes(), Xdmf::END.as_bytes()]
                .into_iter()
                .try_for_each(|part| file.write_all(part))
        })?;
        let file = File::options().write(true).open(path);
        let file = file.map_err(|error| vortice_core::cannot_write(path, &error))?;
        let room = steps.len();
        Ok(Self { file, room: [room, room + ROOM.len() + blanks.len()] })
    }

    /// Whether a step has room.
    pub(crate) fn has_room(&self, step: &str) -> bool {
        let [room, end] = self.room;
        room + 2 * ROOM.len() + step.len().next_multiple_of(ROOM.len()) <= end
    }

    /// Appends a step that has room.
    ///
    /// # Errors
    /// If the disk refuses; the steps of before are still whole.
    pub(crate) fn append(&mut self, step: String) -> std::io::Result<()> {
        let ([room, _], step) = (self.room, padded(step));
        let next = room + ROOM.len() + step.len();
        self.file.write_all_at(&[step.as_bytes(), ROOM].concat(), (room + ROOM.len()) as u64)?;
        self.file.sync_data()?;
        self.file.write_all_at(&[b' '; ROOM.len()], room as u64)?;
        self.room[0] = next;
        Ok(())
    }
}

/// The text with blanks behind it, up to a multiple of the bytes that publish a step.
fn padded(mut text: String) -> String {
    text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(ROOM.len()) - text.len()));
    text
}

#[cfg(test)]
mod tests {
    use vortice_core::{Grid, Precision, Quantity};

    use super::*;

    #[test]
    fn a_companion_that_has_grown_names_the_steps_of_one_made_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fields.xmf");
        let grid = Grid::uniform([4, 3, 2], [4.0, 1.5, 1.0], [-1.0, 0.0, 0.25]);
        let times: Vec<f64> = (0..40).map(f64::from).collect();
        let of = |times: &[f64]| Xdmf {
            heavy: "fields.vtkhdf".into(),
            grid,
            quantities: vec![Quantity::Velocity],
            precision: Precision::F32,
            solid: true,
            times: times.to_vec(),
        };
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut grown = Companion::create(&path, of(&times[..1]).steps()).expect("written");
        let mut made = 1;
        for count in 2..=times.len() {
            let step = of(&times[..count]).step(count - 1);
            if grown.has_room(&step) {
                grown.append(step).expect("written");
            } else {
                grown = Companion::create(&path, of(&times[..count]).steps()).expect("written");
                made += 1;
            }
            let text = std::fs::read_to_string(&path).expect("it is there");
            let (steps, rest) = text.split_once("<?room").expect("room");
            let (blanks, end) = rest.split_once("?>").expect("an end of it");
            assert!(blanks.trim().is_empty(), "{blanks}");
            assert_eq!(
                words(&(steps.to_owned() + end)),
                words(&[Xdmf::BEGIN, &of(&times[..count]).steps(), Xdmf::END].concat())
            );
        }
        assert!((3..8).contains(&made), "{made}");
    }
}
