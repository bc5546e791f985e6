//! What a thread of its own does while the run goes on.

use std::io::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use vortice_core::{Result, cannot_write};

/// One task at a time, for one file; the first that waits for it is told how it ended.
#[derive(Clone)]
pub(crate) struct Underway(Arc<Mutex<Thread>>);

struct Thread {
    path: PathBuf,
    task: Option<JoinHandle<Result<()>>>,
}

impl Thread {
    fn end(&mut self) -> Result<()> {
        let fell =
            || cannot_write(&self.path, &Error::other("what writes to the disk has stopped"));
        self.task.take().map_or(Ok(()), |task| task.join().unwrap_or_else(|_| Err(fell())))
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // No caller is left who could be told.
        let _ = self.end();
    }
}

impl Underway {
    /// Nothing yet.
    pub(crate) fn of(path: &Path) -> Self {
        Self(Arc::new(Mutex::new(Thread { path: path.to_owned(), task: None })))
    }

    /// Begins a task after the one before.
    ///
    /// # Errors
    /// If the one before failed, or no thread is to be had.
    pub(crate) fn begin(&self, task: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
        let mut thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        thread.end()?;
        let begun = Builder::new().spawn(task);
        thread.task = Some(begun.map_err(|error| cannot_write(&thread.path, &error))?);
        Ok(())
    }

    /// Waits until nothing is underway.
    ///
    /// # Errors
    /// If it failed.
    pub(crate) fn wait(&self) -> Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).end()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn tasks_follow_each_other_and_one_that_fails_is_told_once() {
        let (underway, (tell, told)) = (Underway::of(Path::new("a file")), channel());
        for number in 0..20 {
            let tell = tell.clone();
            let task = move || {
                tell.send(number).expect("somebody hears it");
                Ok(())
            };
            underway.begin(task).expect("a thread");
        }
        underway.wait().expect("done");
        assert_eq!(told.try_iter().collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
        let refused = || Err(cannot_write(Path::new("a file"), &"no"));
        underway.begin(refused).expect("a thread");
        assert!(underway.wait().is_err() && underway.wait().is_ok());
    }
}
