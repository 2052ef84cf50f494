//! The terminal: data on stdout, progress and errors on stderr.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Progress and messages on stderr.
///
/// The bar is drawn on a terminal only and messages are printed above it.
pub struct Console {
    bar: ProgressBar,
    quiet: bool,
}

impl Console {
    /// A console for `length` steps; `quiet` leaves nothing but errors.
    pub fn new(length: usize, quiet: bool) -> Self {
        let visible = !quiet && io::stderr().is_terminal();
        let target = if visible {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(length as u64), target);
        // The template is fixed; should it ever be wrong, the default bar is shown.
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} ({eta} left)") {
            bar.set_style(style);
        }
        Self { bar, quiet }
    }

    /// One step is done.
    pub fn advance(&self, name: &str) {
        self.bar.set_message(name.to_owned());
        self.bar.inc(1);
    }

    /// Prints an error.
    pub fn error(&self, message: impl Display) {
        self.print(&format!("error: {message}"));
    }

    /// Prints a warning.
    pub fn warning(&self, message: impl Display) {
        if !self.quiet {
            self.print(&format!("warning: {message}"));
        }
    }

    /// Removes the bar and prints a closing line.
    pub fn finish(&self, summary: impl Display) {
        self.bar.finish_and_clear();
        if !self.quiet {
            self.print(&summary.to_string());
        }
    }

    fn print(&self, line: &str) {
        // Nobody can be told that stderr is closed.
        self.bar
            .suspend(|| drop(writeln!(io::stderr().lock(), "{line}")));
    }
}

/// Whether the reader of stdout still listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listener {
    /// Go on.
    Listening,
    /// The pipe is closed: stop without a word, as `head` expects.
    Gone,
}

/// Writes data to stdout; a closed pipe is no error.
pub fn write_stdout(text: &str) -> io::Result<Listener> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Ok(()) => Ok(Listener::Listening),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Listener::Gone),
        Err(error) => Err(error),
    }
}
