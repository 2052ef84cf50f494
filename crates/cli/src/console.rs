//! The terminal: data on stdout, progress and errors on stderr.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scoresheet_pipeline::Notice;
use serde_json::{Value, json};

/// How progress and errors are told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Log {
    /// A bar on a terminal, lines elsewhere
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

/// Progress and messages on stderr.
///
/// The bar is drawn on a terminal only and messages are printed above it; elsewhere each game gets a line.
pub struct Console {
    bar: ProgressBar,
    log: Log,
    quiet: bool,
    doubts: AtomicUsize,
}

/// What is told of a game that is done.
pub struct GameNote<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its place in the batch, from 1, and the number of games.
    pub place: (usize, usize),
    /// Moves of the game.
    pub moves: usize,
    /// Moves that a person should look at.
    pub doubts: usize,
    /// Whether it was there from an earlier run.
    pub kept: bool,
}

impl Console {
    /// A console for `length` steps; `quiet` leaves nothing but errors.
    pub fn new(length: usize, log: Log, quiet: bool) -> Self {
        let visible = !quiet && log == Log::Text && io::stderr().is_terminal();
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
        Self {
            bar,
            log,
            quiet,
            doubts: AtomicUsize::new(0),
        }
    }

    /// A console for messages alone.
    pub fn plain(quiet: bool) -> Self {
        Self::new(0, Log::Text, quiet)
    }

    /// One step is done.
    pub fn advance(&self, name: &str) {
        match self.doubts.load(Ordering::Relaxed) {
            0 => self.bar.set_message(name.to_owned()),
            doubts => self
                .bar
                .set_message(format!("{name}, {doubts} moves to check")),
        }
        self.bar.inc(1);
    }

    /// A game is done.
    pub fn game(&self, note: &GameNote<'_>) {
        self.doubts.fetch_add(note.doubts, Ordering::Relaxed);
        if self.quiet {
            return;
        }
        let (place, count) = note.place;
        match self.log {
            Log::Json => self.event(json!({
                "event": "game", "name": note.name, "place": place, "of": count,
                "moves": note.moves, "doubts": note.doubts, "kept": note.kept,
            })),
            Log::Text if self.bar.is_hidden() => {
                let kept = if note.kept {
                    ", kept from an earlier run"
                } else {
                    ""
                };
                self.print(&format!(
                    "[{place}/{count}] {}: {} moves, {} to check{kept}",
                    note.name, note.moves, note.doubts
                ));
            }
            Log::Text => {}
        }
    }

    /// Prints a failure.
    pub fn error(&self, failure: impl Into<Notice>) {
        let notice = failure.into();
        match self.log {
            Log::Text => self.print(&format!("error: {notice}")),
            Log::Json => self.event(json!({
                "event": "error", "kind": notice.kind, "file": notice.file.as_ref().map(|file| file.display().to_string()),
                "message": notice.problem(), "remedy": notice.remedy(),
            })),
        }
    }

    /// Prints a warning.
    pub fn warning(&self, message: impl Display) {
        if !self.quiet {
            self.tell("warning", &message.to_string());
        }
    }

    /// Removes the bar and prints a closing text.
    pub fn finish(&self, summary: impl Display) {
        self.bar.finish_and_clear();
        if self.quiet {
            return;
        }
        match self.log {
            Log::Text => self.print(&summary.to_string()),
            Log::Json => self.tell("end", &summary.to_string()),
        }
    }

    /// Prints a table that was asked for, also when quiet: lines of fields with tabs between, the first the names of the columns.
    pub fn table(&self, name: &str, table: &str) {
        match self.log {
            Log::Text => self.print(table.trim_end()),
            Log::Json => {
                let mut lines = table.lines().map(|line| line.split('\t'));
                let columns: Vec<&str> = lines.next().into_iter().flatten().collect();
                let rows = lines.map(|fields| {
                    let named = columns.iter().zip(fields);
                    named
                        .map(|(column, field)| ((*column).to_owned(), json!(field)))
                        .collect::<serde_json::Map<String, Value>>()
                });
                self.event(json!({ "event": name, "rows": rows.collect::<Vec<_>>() }));
            }
        }
    }

    fn tell(&self, event: &str, message: &str) {
        match self.log {
            Log::Text => self.print(&format!("{event}: {message}")),
            Log::Json => self.event(json!({ "event": event, "message": message })),
        }
    }

    fn event(&self, event: Value) {
        self.print(&event.to_string());
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
