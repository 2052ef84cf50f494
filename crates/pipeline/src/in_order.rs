//! Work on many things at the same time, with results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::Builder;

use crate::Cancellation;

/// How many things for each thread may be begun ahead of the first that is not delivered.
const AHEAD: usize = 4;

/// Runs `work` for each index below `count` on `jobs` threads. `deliver` gets the results in the order of the indexes, on the thread of the caller, each as
/// soon as it and all before it are there; it may break off.
///
/// What is begun is always a first part of the whole: after a cancellation all that was begun is finished and delivered. When one thing takes long, the
/// others wait before they run too far ahead, so that the memory for results is bounded.
///
/// # Errors
/// Where not a single thread could be started; with fewer than asked for, the work goes on.
pub(crate) fn in_order<T: Send>(
    count: usize,
    jobs: NonZeroUsize,
    cancellation: &Cancellation,
    work: impl Fn(usize) -> T + Sync,
    mut deliver: impl FnMut(usize, T) -> ControlFlow<()>,
) -> std::io::Result<()> {
    let threads = jobs.get().min(count.max(1));
    let gate = Gate::new(threads.saturating_mul(AHEAD));
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads {
            let sender = sender.clone();
            let (gate, next, work) = (&gate, &next, &work);
            let worker = move || {
                let _panic = CloseOnPanic(gate);
                while !cancellation.is_cancelled() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    // The receiver is gone only after a break, when nobody wants the result.
                    if index >= count
                        || !gate.pass(index)
                        || sender.send((index, work(index))).is_err()
                    {
                        break;
                    }
                }
            };
            match Builder::new().spawn_scoped(scope, worker) {
                Ok(_) => started += 1,
                Err(error) if started == 0 => return Err(error),
                Err(_) => break,
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, result) in receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&due) {
                if deliver(due, result).is_break() {
                    gate.close();
                    return Ok(());
                }
                due += 1;
                gate.delivered(due);
            }
        }
        Ok(())
    })
}

/// Lets a thread begin what is not too far ahead of the deliveries.
struct Gate {
    /// Number of deliveries; none when closed.
    delivered: Mutex<Option<usize>>,
    changed: Condvar,
    window: usize,
}

impl Gate {
    fn new(window: usize) -> Self {
        Self {
            delivered: Mutex::new(Some(0)),
            changed: Condvar::new(),
            window,
        }
    }

    fn state(&self) -> MutexGuard<'_, Option<usize>> {
        self.delivered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `index` may begin; false when nothing shall.
    fn pass(&self, index: usize) -> bool {
        let far = |delivered: &mut Option<usize>| {
            delivered.is_some_and(|delivered| index >= delivered + self.window)
        };
        let state = self.changed.wait_while(self.state(), far);
        state.unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn delivered(&self, count: usize) {
        if let Some(delivered) = &mut *self.state() {
            *delivered = count;
        }
        self.changed.notify_all();
    }

    fn close(&self) {
        *self.state() = None;
        self.changed.notify_all();
    }
}

/// Closes the gate when the work of a thread panics: its result never comes, and the others would wait for it.
struct CloseOnPanic<'a>(&'a Gate);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn jobs(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_come_in_order_whoever_is_first() {
        for threads in [1, 2, 7] {
            let mut got = Vec::new();
            let work = |index: usize| {
                std::thread::sleep(Duration::from_micros((index as u64 * 7919) % 400));
                index * index
            };
            in_order(
                50,
                jobs(threads),
                &Cancellation::default(),
                work,
                |index, square| {
                    got.push((index, square));
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
            let expected: Vec<_> = (0..50).map(|index| (index, index * index)).collect();
            assert_eq!(got, expected, "{threads} threads");
        }
    }

    #[test]
    fn a_slow_one_holds_the_others_back() {
        let begun = AtomicUsize::new(0);
        let ahead = AtomicUsize::new(0);
        let work = |index: usize| {
            begun.fetch_max(index, Ordering::Relaxed);
            if index == 0 {
                std::thread::sleep(Duration::from_millis(60));
                ahead.store(begun.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        };
        in_order(100, jobs(3), &Cancellation::default(), work, |_, ()| {
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(ahead.into_inner() < 3 * AHEAD);
        assert_eq!(begun.into_inner(), 99);
    }

    #[test]
    fn after_a_cancellation_all_that_was_begun_is_delivered() {
        let cancellation = Cancellation::default();
        let begun = AtomicUsize::new(0);
        let mut delivered = 0;
        let work = |index: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            if index == 10 {
                cancellation.cancel();
            }
        };
        in_order(1000, jobs(4), &cancellation, work, |_, ()| {
            delivered += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(begun.into_inner(), delivered);
        assert!((11..100).contains(&delivered), "{delivered}");
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_ends_the_work() {
        let work = |index: usize| assert!(index != 3);
        let _ = in_order(100, jobs(2), &Cancellation::default(), work, |_, ()| {
            ControlFlow::Continue(())
        });
    }

    #[test]
    fn a_break_ends_the_work() {
        let begun = AtomicUsize::new(0);
        let mut delivered = 0;
        let work = |_| begun.fetch_add(1, Ordering::Relaxed);
        in_order(100_000, jobs(2), &Cancellation::default(), work, |_, _| {
            delivered += 1;
            if delivered == 5 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .unwrap();
        assert_eq!(delivered, 5);
        assert!(begun.into_inner() < 100);
    }
}
