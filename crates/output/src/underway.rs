//! What a thread of its own does while the run goes on.

use std::io::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use vortice_core::{Result, cannot_write};

/// Tasks that wait for one before them, at the most.
const QUEUED: usize = 16;

type Task = JoinHandle<Result<()>>;

/// Tasks for one file, one after the other; none is done after one that failed. The first that waits for them is told how they
/// ended.
#[derive(Clone)]
pub(crate) struct Underway(Arc<Mutex<Queue>>);

struct Queue {
    path: PathBuf,
    /// The last one, which waits for those before.
    last: Option<Task>,
    /// Each of them holds one more.
    count: Arc<()>,
}

impl Queue {
    fn end(&mut self) -> Result<()> {
        self.last.take().map_or(Ok(()), |last| ended(last, &self.path))
    }
}

fn ended(task: Task, path: &Path) -> Result<()> {
    let fell = || cannot_write(path, &Error::other("what writes to the disk has stopped"));
    task.join().unwrap_or_else(|_| Err(fell()))
}

impl Drop for Queue {
    fn drop(&mut self) {
        // No caller is left who could be told.
        let _ = self.end();
    }
}

impl Underway {
    /// Nothing yet.
    pub(crate) fn of(path: &Path) -> Self {
        Self(Arc::new(Mutex::new(Queue {
            path: path.to_owned(),
            last: None,
            count: Arc::default(),
        })))
    }

    /// Has a task done after those before, for which nothing is waited unless there are many.
    ///
    /// # Errors
    /// If one before is known to have failed, or no thread is to be had.
    pub(crate) fn begin(&self, task: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
        let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_done = queue.last.as_ref().is_some_and(JoinHandle::is_finished);
        if is_done || Arc::strong_count(&queue.count) > QUEUED {
            queue.end()?;
        }
        let (before, one, path) = (queue.last.take(), queue.count.clone(), queue.path.clone());
        let task = move || {
            let _one = one;
            before.map_or(Ok(()), |before| ended(before, &path))?;
            task()
        };
        let begun = Builder::new().spawn(task);
        queue.last = Some(begun.map_err(|error| cannot_write(&queue.path, &error))?);
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
        let (open, gate) = channel();
        underway.begin(move || gate.recv().map_or(Ok(()), |()| Ok(()))).expect("a thread");
        for number in 0..QUEUED - 1 {
            let tell = tell.clone();
            let task = move || {
                tell.send(number).expect("somebody hears it");
                Ok(())
            };
            underway.begin(task).expect("a thread");
        }
        assert_eq!(told.try_iter().count(), 0, "the first is not done");
        open.send(()).expect("it waits");
        underway.wait().expect("done");
        assert!(told.try_iter().eq(0..QUEUED - 1));
        let refused = || Err(cannot_write(Path::new("a file"), &"no"));
        underway.begin(refused).expect("a thread");
        let later = underway.begin(move || tell.send(0).map_or(Ok(()), |()| Ok(())));
        assert!(later.and_then(|()| underway.wait()).is_err() && underway.wait().is_ok());
        assert_eq!(told.try_iter().count(), 0, "nothing is done after it");
    }
}
