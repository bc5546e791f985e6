//! HDF5 files being written, so that no refusal of the disk goes untold.
//!
//! HDF5 keeps small arrays back in a buffer of each array and writes them when the array is closed,
//! which cannot fail as far as a program sees. Files are therefore made without that buffer, flushed
//! before they are closed, and the closing is asked for.

use std::path::Path;

use hdf5::File;
use hdf5::plist::file_create::{FileCreateBuilder, FileSpaceStrategy};

/// Bytes that disks of today and Linux write as a whole.
const PAGE: u64 = 4096;

/// A new file, in place of an older one or a link, that other programs may read while it is written.
pub(crate) fn create(path: &Path) -> hdf5::Result<File> {
    create_behind(0, path)
}

/// The same behind so many bytes that HDF5 leaves alone.
pub(crate) fn create_behind(bytes: u64, path: &Path) -> hdf5::Result<File> {
    create_by(|creation| creation.userblock(bytes), path)
}

fn create_by(
    rules: impl Fn(&mut FileCreateBuilder) -> &mut FileCreateBuilder,
    path: &Path,
) -> hdf5::Result<File> {
    vortice_core::clear(path).map_err(|error| error.to_string())?;
    builder().with_fcpl(rules).create_excl(path)
}

/// A new file whose arrays grow while programs read it, and whenever the machine stops: the place of a piece, once it is in
/// their index, is not moved. Such an index came with HDF5 1.10. A file made by its rules is marked while it is written, and
/// no other program may open it then; a file that was made by older rules and opened by newer ones has no mark. No piece of
/// what tells of arrays crosses a page, which a machine without power has written or not.
pub(crate) fn create_growing(path: &Path) -> hdf5::Result<File> {
    let paged = FileSpaceStrategy::FreeSpaceManager { paged: true, persist: false, threshold: 1 };
    create_by(|rules| rules.file_space_strategy(paged).file_space_page_size(PAGE), path)?
        .close()?;
    open(path)
}

/// A file that is there, to be written on.
pub(crate) fn open(path: &Path) -> hdf5::Result<File> {
    let mut builder = builder();
    // HDF5 would cut off what it took ahead at the end before it says so where the file begins.
    builder.with_fapl(|access| access.libver_v110().meta_block_size(0).small_data_block_size(0));
    builder.open_rw(path)
}

fn builder() -> hdf5::FileBuilder {
    let mut builder = hdf5::FileBuilder::new();
    builder.with_fapl(|access| access.libver_v18().file_locking(false).sieve_buf_size(0));
    builder
}

/// Ends the writing; groups and arrays of the file are to be closed before.
pub(crate) fn close(file: File) -> hdf5::Result<()> {
    file.flush()?;
    file.close()
}

/// Makes sure that a finished file is on the disk.
pub(crate) fn sync(path: &Path) -> std::io::Result<()> {
    std::fs::File::open(path)?.sync_all()
}

/// Makes sure that the name of a file in its folder is on the disk.
pub(crate) fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grows_has_pages_and_is_opened_by_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("growing.h5");
        let file = create_growing(&path).expect("made");
        let rules = file.create_plist().expect("its rules");
        assert_eq!(rules.file_space_page_size(), PAGE);
        assert!(matches!(
            rules.file_space_strategy(),
            FileSpaceStrategy::FreeSpaceManager { paged: true, .. }
        ));
        file.flush().expect("written");
        // The version of its head: of later ones no other program opens a file that is being written.
        assert_eq!(std::fs::read(&path).expect("it is there")[8], 2);
    }
}
