//! Words with which players close a scoresheet.

/// Beginnings of words that say that a game is over, in small letters: of giving up, of a draw agreed, and of who is meant. The first letter may be a capital.
///
/// None is shorter than five letters: shorter ones look too much like moves in a bad hand.
pub const CLOSING_WORDS: [&str; 32] = [
    // English
    "resign",
    "white",
    "black",
    "agreed",
    "drawn",
    // Dutch
    "opgegeven",
    "zwart",
    // German, and Dutch and Polish `remise`, `remis`
    "aufgegeben",
    "aufgabe",
    "remis",
    "schwarz",
    "weiss",
    // French, Spanish, Portuguese, Italian
    "abandon",
    "nulle",
    "blanc",
    "noirs",
    "tablas",
    "negras",
    "desiste",
    "empate",
    "brancas",
    "pretas",
    "abbandona",
    "patta",
    "bianco",
    // Polish
    "poddal",
    "poddaje",
    "czarne",
    // Serbian
    "predao",
    "predaje",
    "предао",
    "предаје",
];
