//! Exit status of the program.

use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Everything was read.
    Success = 0,
    /// Some sheets failed; each was named on stderr.
    SomeFailed = 1,
    /// Nothing could be done as asked: wrong options, or no place to write to.
    WrongUse = 2,
    /// SIGINT (Ctrl-C): the sheets at work were finished, the rest was not begun.
    Interrupted = 130,
    /// SIGTERM: the same.
    Terminated = 143,
}

impl Status {
    /// The status of a run of which `failed` sheets failed.
    pub fn from_failures(failed: usize) -> Self {
        if failed == 0 {
            Self::Success
        } else {
            Self::SomeFailed
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_give_one() {
        for (failed, status) in [(0, 0), (1, 1), (99, 1)] {
            assert_eq!(Status::from_failures(failed) as u8, status);
        }
        for (status, number) in [
            (Status::WrongUse, 2),
            (Status::Interrupted, 130),
            (Status::Terminated, 143),
        ] {
            assert_eq!(status as u8, number);
        }
    }
}
