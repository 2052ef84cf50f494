//! The copies of a game's sheet as grids of cells, and the ways in which cells can account for the moves played.
//!
//! Each copy is read down its two columns, and each column has its own next row. The usual way takes White's moves from the left column and Black's
//! from the right one, row by row. A column that lags, columns that are crossed (swapped, or one half-move out of step), moves without a cell and cells without a move
//! are other ways, which are charged for.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use cozy_chess::Color;

use crate::costs::Costs;
use crate::evidence::{CellEvidence, Examiner, Part};

/// Copies that are looked at; further ones are left out.
pub(crate) const MOST_COPIES: usize = 2;
/// A gap in the row numbers longer than this is taken as a mistake and not filled with blank rows.
const LONGEST_GAP: u32 = 40;
/// Rows that one column may be ahead of the other.
const MOST_LAG: i32 = 3;

/// A cell of a copy, or the place of one that is left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot<'a> {
    pub number: u32,
    pub evidence: Option<&'a CellEvidence>,
}

/// What a cell weighs besides the moves that it may show.
#[derive(Debug, Clone, Copy, Default)]
struct Ground {
    ink: bool,
    /// May hold two moves.
    crowded: bool,
    /// Writing that may be a move.
    speaks: bool,
    /// Where it stands for no move.
    passed: f64,
    /// Where the game ended before it.
    after_end: f64,
}

/// The cells of one copy; its places are numbered row by row.
#[derive(Debug, Clone)]
struct Copy {
    /// Its first place.
    first: usize,
    /// Rows up to the last one with ink.
    rows: usize,
    /// By column and row: weight of the game's end before the cells from there on.
    tails: [Vec<f64>; 2],
    /// By column: the row after the last ink.
    ends: [usize; 2],
}

impl Copy {
    fn new(first: usize, rows: usize) -> Self {
        Self {
            first,
            rows,
            tails: [vec![0.0; rows + 1], vec![0.0; rows + 1]],
            ends: [0; 2],
        }
    }

    fn places(&self) -> Range<usize> {
        self.first..self.first + 2 * self.rows
    }

    /// Settles what the cells weigh from each row on.
    fn look_ahead(&mut self, grounds: &[Ground]) {
        for column in 0..2 {
            let ground = |row: usize| grounds[self.first + 2 * row + column];
            for row in (0..self.rows).rev() {
                self.tails[column][row] = self.tails[column][row + 1] + ground(row).after_end;
            }
            let last_ink = (0..self.rows).rposition(|row| ground(row).ink);
            self.ends[column] = last_ink.map_or(0, |last| last + 1);
        }
    }
}

/// All copies of a game.
#[derive(Debug)]
pub(crate) struct Copies<'a> {
    slots: Vec<Slot<'a>>,
    grounds: Vec<Ground>,
    copies: Vec<Copy>,
}

/// How far a copy has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Head {
    /// Next row of each column.
    rows: [u16; 2],
    /// White's moves are taken from the right column, and Black's from the left one.
    crossed: bool,
    /// The cell of the last move holds one more.
    shared: bool,
    /// The rest of the copy tells no moves.
    ended: bool,
}

impl Hash for Head {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [white, black] = self.rows.map(u64::from);
        let flags = [self.crossed, self.shared, self.ended]
            .into_iter()
            .fold(0, |flags, flag| flags << 1 | u64::from(flag));
        state.write_u64(flags << 32 | white << 16 | black);
    }
}

pub(crate) type Heads = [Head; MOST_COPIES];
pub(crate) type Ways = [Way; MOST_COPIES];

/// How a copy accounts for the next move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Way {
    /// The copy is at its end.
    #[default]
    Absent,
    /// The next cell of the mover's column.
    Take,
    /// The move has no cell, and the column goes on.
    LeftOut,
    /// The move has no cell; from now on the columns are crossed, or crossed no more.
    LeftOutCross,
    /// The next cell of the column stands for no move; the one below it is taken.
    Pass,
    /// The next cell of the column stands for no move; the next one of the other column is taken, and so on.
    PassCross,
    /// The next row stands for no moves, or all blank rows up to the next ink.
    PassRow,
    /// The next cell of the other column, and so on.
    Cross,
    /// The beginning of the next cell, which holds another move.
    TakeFirst,
    /// The rest of the cell of the last move; the mover's own cell is blank.
    TakeRest,
    /// The rest of the cell of the last move; the next move goes on in the mover's own cell.
    TakeRestCross,
    /// The rest of the copy stands for no moves.
    Finish,
}

/// The ways besides the usual one, the likeliest first.
pub(crate) const DETOURS: [Way; 10] = [
    Way::LeftOut,
    Way::LeftOutCross,
    Way::PassRow,
    Way::Pass,
    Way::PassCross,
    Way::Cross,
    Way::TakeFirst,
    Way::TakeRest,
    Way::TakeRestCross,
    Way::Finish,
];

/// What a way comes to.
#[derive(Debug, Clone)]
pub(crate) struct Passage {
    pub head: Head,
    /// The place of the move's cell and the part of its ink.
    pub taken: Option<(usize, Part)>,
    /// Places that stand for no move.
    pub passed: Vec<usize>,
    /// Natural log weight, the move's ink not counted.
    pub weight: f64,
}

impl<'a> Copies<'a> {
    /// Lays out the cells of each copy, which come in playing order.
    pub(crate) fn new(copies: &'a [Vec<CellEvidence>]) -> Self {
        let mut slots = Vec::new();
        let mut grids = Vec::new();
        for cells in copies.iter().take(MOST_COPIES) {
            let first = slots.len();
            lay_out(cells, &mut slots);
            let last_ink = slots[first..].iter().rposition(has_ink);
            let rows = last_ink.map_or(0, |last| last / 2 + 1);
            slots.truncate(first + 2 * rows);
            grids.push(Copy::new(first, rows));
        }
        Self {
            grounds: vec![Ground::default(); slots.len()],
            slots,
            copies: grids,
        }
    }

    /// Charges for what the inks look like.
    pub(crate) fn weigh(&mut self, examiner: &mut Examiner<'_>, costs: &Costs) {
        for place in 0..self.grounds.len() {
            let first = self.copies[self.copy_of(place)].first;
            let ink = examiner.has_ink(place);
            let closing = examiner.closes_the_game(place);
            let passed = match ink {
                false => costs.blank_passed,
                true if closing => costs.remark_passed,
                true if examiner.is_a_move(place) => {
                    let mut before = (first..place).rev().take(2);
                    if before.any(|other| examiner.repeats(place, other)) {
                        costs.doubled
                    } else {
                        costs.ink_passed
                    }
                }
                true => costs.remark_passed,
            };
            let speaks = ink && !closing && !examiner.looks_like_a_scribble(place);
            let after_end = match speaks {
                false => 0.0,
                true if examiner.looks_like_a_move(place) => costs.move_after_end,
                true => costs.remark_after_end,
            };
            self.grounds[place] = Ground {
                ink,
                crowded: examiner.is_crowded(place),
                speaks,
                passed,
                after_end,
            };
        }
        for copy in &mut self.copies {
            copy.look_ahead(&self.grounds);
        }
    }

    /// The first rows of one copy alone, its places numbered as before.
    pub(crate) fn beginning(&self, copy: usize, rows: usize) -> Self {
        let Copy {
            first, rows: all, ..
        } = self.copies[copy];
        let mut beginning = Copy::new(first, all.min(rows));
        beginning.look_ahead(&self.grounds);
        Self {
            slots: self.slots.clone(),
            grounds: self.grounds.clone(),
            copies: vec![beginning],
        }
    }

    /// All places, copy by copy and row by row.
    pub(crate) fn slots(&self) -> &[Slot<'a>] {
        &self.slots
    }

    /// Whether there is ink at a place.
    pub(crate) fn has_ink(&self, place: usize) -> bool {
        self.grounds[place].ink
    }

    /// Number of cells with ink.
    pub(crate) fn inked(&self) -> usize {
        let places = self.copies.iter().flat_map(Copy::places);
        places.filter(|&place| self.grounds[place].ink).count()
    }

    /// Number of copies.
    pub(crate) fn len(&self) -> usize {
        self.copies.len()
    }

    /// The copy that a place belongs to.
    pub(crate) fn copy_of(&self, place: usize) -> usize {
        self.copies.partition_point(|copy| copy.first <= place) - 1
    }

    /// The printed name of a place.
    pub(crate) fn name(&self, place: usize) -> String {
        let first = self.copies[self.copy_of(place)].first;
        let colour = match (place - first) % 2 {
            0 => "White",
            _ => "Black",
        };
        format!("{}. {colour}", self.slots[place].number)
    }

    /// Most half-moves that the cells can tell.
    pub(crate) fn longest(&self) -> usize {
        let rows = self.copies.iter().map(|copy| copy.rows).max();
        2 * rows.unwrap_or(0)
    }

    /// Whether no ink is left in a copy, or none that counts.
    pub(crate) fn is_done(&self, copy: usize, head: &Head) -> bool {
        let ends = self.copies[copy].ends;
        head.ended
            || !head.shared
                && usize::from(head.rows[0]) >= ends[0]
                && usize::from(head.rows[1]) >= ends[1]
    }

    /// Weight of the end of the game: the rest of each copy stands for no moves.
    pub(crate) fn end_weight(&self, heads: &Heads, costs: &Costs) -> f64 {
        (0..self.copies.len())
            .map(|copy| self.tail(copy, &heads[copy], costs))
            .sum()
    }

    fn tail(&self, copy: usize, head: &Head, costs: &Costs) -> f64 {
        if self.is_done(copy, head) {
            return 0.0;
        }
        let grid = &self.copies[copy];
        let rest =
            |column: usize| grid.tails[column][usize::from(head.rows[column]).min(grid.rows)];
        let next_speaks = (0..2).any(|column| {
            let row = usize::from(head.rows[column]);
            row < grid.rows && self.grounds[grid.first + 2 * row + column].speaks
        });
        rest(0)
            + rest(1)
            + if next_speaks {
                costs.end_before_ink
            } else {
                0.0
            }
    }

    /// Places from the heads on that a move could stand in next, for the sake of what is told of them.
    pub(crate) fn rest(&self, copy: usize, head: &Head) -> Vec<usize> {
        if head.ended {
            return Vec::new();
        }
        let grid = &self.copies[copy];
        (0..grid.rows * 2)
            .filter(|place| place / 2 >= usize::from(head.rows[place % 2]))
            .map(|place| grid.first + place)
            .collect()
    }

    /// What a way comes to from a head, for a move of `side`; none where it is not possible.
    pub(crate) fn passage(
        &self,
        copy: usize,
        head: Head,
        side: Color,
        way: Way,
        costs: &Costs,
    ) -> Option<Passage> {
        if head.shared != matches!(way, Way::TakeRest | Way::TakeRestCross) {
            return None;
        }
        let own = usize::from((side == Color::Black) != head.crossed);
        let other = 1 - own;
        let mut passage = Passage {
            head,
            taken: None,
            passed: Vec::new(),
            weight: 0.0,
        };
        match way {
            Way::Absent => return self.is_done(copy, &head).then_some(passage),
            Way::Take => self.take(copy, own, Part::Whole, &mut passage)?,
            Way::LeftOut | Way::LeftOutCross => {
                passage.head.crossed ^= way == Way::LeftOutCross;
                passage.weight += costs.left_out;
            }
            Way::Pass => {
                self.pass(copy, own, &mut passage)?;
                self.take(copy, own, Part::Whole, &mut passage)?;
            }
            Way::PassCross => {
                self.pass(copy, own, &mut passage)?;
                passage.head.crossed = !head.crossed;
                self.take(copy, other, Part::Whole, &mut passage)?;
            }
            Way::PassRow => {
                self.pass_rows(copy, own, &mut passage)?;
                self.take(copy, own, Part::Whole, &mut passage)?;
            }
            Way::Cross => {
                passage.weight += costs.swapped;
                passage.head.crossed = !head.crossed;
                self.take(copy, other, Part::Whole, &mut passage)?;
            }
            Way::TakeFirst => {
                if !self.grounds[self.place(copy, own, &head)?].crowded {
                    return None;
                }
                self.take(copy, own, Part::First, &mut passage)?;
                passage.head.shared = true;
                passage.weight += costs.two_in_cell;
            }
            Way::TakeRest | Way::TakeRestCross => {
                // The cell of the move before: the last one of the other column.
                let row = usize::from(head.rows[other]).checked_sub(1)?;
                passage.head.shared = false;
                passage.taken = Some((self.copies[copy].first + 2 * row + other, Part::Last));
                if way == Way::TakeRest {
                    let blank = self.place(copy, own, &head)?;
                    if self.grounds[blank].ink {
                        return None;
                    }
                    passage.head.rows[own] += 1;
                } else {
                    passage.head.crossed = !head.crossed;
                }
            }
            Way::Finish => {
                passage.weight += self.tail(copy, &head, costs);
                passage.head.ended = true;
            }
        }
        let after = &passage.head;
        let lag = i32::from(after.rows[0]) - i32::from(after.rows[1]);
        if lag.abs() > MOST_LAG {
            return None;
        }
        if !after.ended && is_strange(after, !side) {
            passage.weight += if is_strange(&head, side) {
                costs.still_wrong_column
            } else {
                costs.wrong_column
            };
        }
        Some(passage)
    }

    /// The place of the next cell of a column.
    fn place(&self, copy: usize, column: usize, head: &Head) -> Option<usize> {
        let grid = &self.copies[copy];
        let row = usize::from(head.rows[column]);
        (row < grid.rows).then_some(grid.first + 2 * row + column)
    }

    fn take(&self, copy: usize, column: usize, part: Part, passage: &mut Passage) -> Option<()> {
        let place = self.place(copy, column, &passage.head)?;
        passage.head.rows[column] += 1;
        passage.taken = Some((place, part));
        Some(())
    }

    fn pass(&self, copy: usize, column: usize, passage: &mut Passage) -> Option<()> {
        let place = self.place(copy, column, &passage.head)?;
        passage.head.rows[column] += 1;
        passage.passed.push(place);
        passage.weight += self.grounds[place].passed;
        Some(())
    }

    /// Passes the next cells of both columns, and of all rows after them that are blank; rows of blanks together count as one blank.
    fn pass_rows(&self, copy: usize, own: usize, passage: &mut Passage) -> Option<()> {
        let is_blank = |column: usize, head: &Head| {
            self.place(copy, column, head)
                .is_some_and(|place| !self.grounds[place].ink)
        };
        let blank = is_blank(0, &passage.head) && is_blank(1, &passage.head);
        self.pass(copy, own, passage)?;
        let first = passage.weight;
        self.pass(copy, 1 - own, passage)?;
        if blank {
            while is_blank(0, &passage.head) && is_blank(1, &passage.head) {
                self.pass(copy, own, passage)?;
                self.pass(copy, 1 - own, passage)?;
            }
            passage.weight = first;
        }
        Some(())
    }
}

fn has_ink(slot: &Slot<'_>) -> bool {
    slot.evidence.is_some_and(|cell| cell.lattice.is_some())
}

/// Whether a copy is read in another order than row by row, White on the left; `side` moves next.
fn is_strange(head: &Head, side: Color) -> bool {
    let ahead = i32::from(side == Color::Black);
    head.crossed || i32::from(head.rows[0]) - i32::from(head.rows[1]) != ahead
}

/// Appends two places for each row from the first on, with those that are left out. A cell whose row has one in its column already gets a row of its own.
fn lay_out<'a>(cells: &'a [CellEvidence], slots: &mut Vec<Slot<'a>>) {
    let mut last: Option<u32> = None;
    for cell in cells {
        let column = usize::from(cell.colour == Color::Black);
        let is_free =
            last == Some(cell.number) && slots[slots.len() - 2 + column].evidence.is_none();
        if !is_free {
            let next = last.map_or(1, |last| last.saturating_add(1));
            let gap = cell.number.saturating_sub(next);
            let blanks = if gap <= LONGEST_GAP { gap } else { 0 };
            let row = |number| {
                [Slot {
                    number,
                    evidence: None,
                }; 2]
            };
            slots.extend((next..next + blanks).chain([cell.number]).flat_map(row));
            last = Some(cell.number);
        }
        let row = slots.len() - 2;
        slots[row + column].evidence = Some(cell);
    }
}
