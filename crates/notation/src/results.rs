//! Results of games in the words of score sheets, which print them to be ringed or ticked.

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// White won.
    WhiteWon,
    /// A draw.
    Draw,
    /// Black won.
    BlackWon,
}

impl GameResult {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::WhiteWon, Self::Draw, Self::BlackWon];

    /// As PGN writes it: `1-0`, `1/2-1/2` or `0-1`.
    pub fn name(self) -> &'static str {
        match self {
            Self::WhiteWon => "1-0",
            Self::Draw => "1/2-1/2",
            Self::BlackWon => "0-1",
        }
    }

    /// What score sheets of many countries print for it, without spaces; capitals and small letters do not matter.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::WhiteWon => WHITE_WON,
            Self::Draw => DRAW,
            Self::BlackWon => BLACK_WON,
        }
    }
}

const WHITE_WON: &[&str] = &[
    "1-0",
    "1:0",
    "white",
    "whitewon",
    "whitewins",
    "wit",
    "witwint",
    "witwon",
    "weiss",
    "weissgewinnt",
    "weissgewann",
    "blancs",
    "gainblancs",
    "blancas",
    "gananblancas",
    "gananlasblancas",
    "blanques",
    "bianco",
    "vinceilbianco",
    "brancas",
    "białe",
    "białewygrały",
    "wygranabiałych",
    "beli",
    "bijeli",
    "bílý",
    "hvit",
    "hvid",
    "бели",
    "белые",
];

const DRAW: &[&str] = &[
    "1/2",
    "½",
    "1/2-1/2",
    "½-½",
    "1/2:1/2",
    "½:½",
    "draw",
    "drawn",
    "drawngame",
    "remise",
    "remis",
    "remíza",
    "unentschieden",
    "nulle",
    "partienulle",
    "nul",
    "tablas",
    "taules",
    "patta",
    "empate",
    "remi",
    "uavgjort",
    "реми",
    "ничья",
];

const BLACK_WON: &[&str] = &[
    "0-1",
    "0:1",
    "black",
    "blackwon",
    "blackwins",
    "zwart",
    "zwartwint",
    "zwartwon",
    "schwarz",
    "schwarzgewinnt",
    "schwarzgewann",
    "noirs",
    "gainnoirs",
    "negras",
    "gananlasnegras",
    "ganannegras",
    "negres",
    "nero",
    "vinceilnero",
    "pretas",
    "czarne",
    "czarnewygrały",
    "wygranaczarnych",
    "crni",
    "černý",
    "svart",
    "sort",
    "црни",
    "чёрные",
];
