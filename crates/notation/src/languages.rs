//! The table of languages, one row each.

use cozy_chess::Piece::{self, Bishop, King, Knight, Pawn, Queen, Rook};

use crate::Language;
use crate::language::Script;

/// The national translations of the FIDE Laws of Chess, appendix C (E in older editions): the letters in C.2, the signs in C.9 to C.13.
const LAWS: &str = "FIDE Laws of Chess, appendix C, translated by the national federation";
/// Hungarian Wikipedia, "A sakkjátszmák lejegyzése": a table of letters in thirty languages.
const TABLE: &str = "Wikipedia (hu), A sakkjátszmák lejegyzése, table of letters";

/// All languages. The five letters are king, queen, rook, bishop, knight.
pub(crate) const LANGUAGES: &[Language] = &[
    row("en", "English", ["K", "Q", "R", "B", "N"], LAWS)
        .pawn("P")
        .variants(&[(Knight, "Kt"), (Knight, "Kn")])
        .words(&["check", "ch"], &["mate", "checkmate"])
        .castling(&["castles kr", "castles k"], &["castles qr", "castles q"]),
    row("nl", "Dutch", ["K", "D", "T", "L", "P"], LAWS)
        .words(&["schaak"], &["mat", "schaakmat"])
        .castling(&["korte rokade"], &["lange rokade"]),
    row("pl", "Polish", ["K", "H", "W", "G", "S"], LAWS)
        .pawn("P")
        // "Dama" is heard for the queen, too.
        .variants(&[(Queen, "D")])
        .words(&["szach"], &["mat", "szach-mat"])
        .castling(&["krótka roszada"], &["długa roszada"]),
    row("es", "Spanish", ["R", "D", "T", "A", "C"], LAWS)
        .pawn("P")
        .words(&["jaque"], &["mate", "jaque mate"]),
    row("de", "German", ["K", "D", "T", "L", "S"], TABLE)
        .pawn("B")
        .words(&["schach"], &["matt", "schachmatt"])
        .castling(&["kurze rochade"], &["lange rochade"]),
    row("fr", "French", ["R", "D", "T", "F", "C"], TABLE)
        .pawn("P")
        .words(&["échec"], &["mat", "échec et mat"])
        .castling(&["petit roque"], &["grand roque"]),
    row("it", "Italian", ["R", "D", "T", "A", "C"], LAWS)
        .pawn("P")
        .words(&["scacco"], &["matto", "scacco matto"])
        .castling(&["arrocco corto"], &["arrocco lungo"]),
    row("pt", "Portuguese", ["R", "D", "T", "B", "C"], TABLE)
        .pawn("P")
        .words(&["xeque"], &["mate", "xeque-mate"]),
    row(
        "ca",
        "Catalan",
        ["R", "D", "T", "A", "C"],
        "Wikipedia (en), Chess piece, piece names",
    )
    .pawn("P")
    .words(&["escac", "xec"], &["escac i mat", "mat"]),
    row(
        "gl",
        "Galician",
        ["R", "D", "T", "A", "C"],
        "Wikipedia (gl), Notación alxébrica",
    )
    .pawn("P")
    // The piece is called "bispo", too, and Scidb writes it so.
    .variants(&[(Bishop, "B")])
    .words(&["xaque"], &["mate", "xaque mate"]),
    row("ro", "Romanian", ["R", "D", "T", "N", "C"], TABLE)
        .pawn("P")
        .words(&["șah"], &["mat", "șah mat"]),
    row("hu", "Hungarian", ["K", "V", "B", "F", "H"], TABLE)
        .pawn("Gy")
        .variants(&[(Pawn, "G")])
        .words(&["sakk"], &["matt", "sakk-matt"])
        .castling(&["rövid sánc"], &["hosszú sánc"]),
    row("cs", "Czech", ["K", "D", "V", "S", "J"], TABLE)
        .pawn("P")
        .words(&["šach"], &["mat", "šach mat"])
        .castling(
            &["malá rošáda", "krátká rošáda"],
            &["velká rošáda", "dlouhá rošáda"],
        ),
    row(
        "sk",
        "Slovak",
        ["K", "D", "V", "S", "J"],
        "Chess.com (sk), Šachové označovanie",
    )
    .pawn("P")
    .captures(&["x", ":"])
    .words(&["šach"], &["mat", "šach mat"])
    .castling(&["malá rošáda"], &["veľká rošáda"]),
    row(
        "hr",
        "Croatian",
        ["K", "D", "T", "L", "S"],
        "Wikipedia (sh), Šahovska notacija",
    )
    .pawn("P")
    .words(&["šah"], &["mat", "šah mat"]),
    row("sl", "Slovene", ["K", "D", "T", "L", "S"], TABLE).words(&["šah"], &["mat"]),
    // Legal's mate in the Serbian textbooks has the colon; the cross is allowed.
    row(
        "sr",
        "Serbian (Latin)",
        ["K", "D", "T", "L", "S"],
        "Wikipedia (sr), Šahovska notacija",
    )
    .pawn("P")
    .captures(&[":", "x"])
    .words(&["šah"], &["mat"])
    .castling(&["mala rokada"], &["velika rokada"]),
    row(
        "sr-cyrl",
        "Serbian (Cyrillic)",
        ["К", "Д", "Т", "Л", "С"],
        "Wikipedia (sr), Šahovska notacija",
    )
    .cyrillic()
    .pawn("П")
    .variants(&[(King, "K"), (Rook, "T"), (Knight, "C")])
    .captures(&[":", "x", "х"])
    .words(&["шах"], &["мат"])
    .castling(&["мала рокада"], &["велика рокада"]),
    row(
        "bg",
        "Bulgarian",
        ["Ц", "Д", "Т", "О", "К"],
        "Bulgarian chess academy, Шахматна нотация",
    )
    .cyrillic()
    .pawn("П")
    .variants(&[(Rook, "T"), (Bishop, "O"), (Knight, "K")])
    .captures(&["x", "х", ":"])
    .words(&["шах"], &["мат", "шах и мат"])
    .castling(
        &["малко рокадо", "малка рокада"],
        &["голямо рокадо", "голяма рокада"],
    ),
    row("ru", "Russian", ["Кр", "Ф", "Л", "С", "К"], TABLE)
        .cyrillic()
        .pawn("П")
        .variants(&[(King, "Kp"), (Bishop, "C"), (Knight, "K")])
        .captures(&[":", "x", "х"])
        .words(&["шах"], &["мат"])
        .castling(&["короткая рокировка"], &["длинная рокировка"]),
    row("uk", "Ukrainian", ["Кр", "Ф", "Т", "С", "К"], LAWS)
        .cyrillic()
        .pawn("П")
        .variants(&[(King, "Kp"), (Rook, "T"), (Bishop, "C"), (Knight, "K")])
        .captures(&["x", "х", ":"])
        .words(&["шах"], &["мат"]),
    row("el", "Greek", ["Ρ", "Β", "Π", "Α", "Ι"], TABLE)
        .script(Script::Greek)
        .pawn("Σ")
        .variants(&[(King, "P"), (Queen, "B"), (Bishop, "A"), (Knight, "I")])
        .words(&["σαχ", "σάχ"], &["ματ"])
        .castling(&["μικρό ροκέ"], &["μεγάλο ροκέ"]),
    row("tr", "Turkish", ["Ş", "V", "K", "F", "A"], TABLE)
        .pawn("P")
        .variants(&[(King, "S")])
        .words(&["şah"], &["mat", "şah mat"])
        .castling(&["kısa rok", "küçük rok"], &["uzun rok", "büyük rok"]),
    row("sv", "Swedish", ["K", "D", "T", "L", "S"], TABLE)
        .pawn("B")
        .words(&["schack"], &["matt", "schackmatt"])
        .castling(&["kort rockad"], &["lång rockad"]),
    row("no", "Norwegian", ["K", "D", "T", "L", "S"], LAWS)
        .pawn("B")
        // "Hest" is the knight's everyday name.
        .variants(&[(Knight, "H")])
        .words(&["sjakk"], &["matt", "sjakkmatt"])
        .castling(&["kort rokade"], &["lang rokade"]),
    row("da", "Danish", ["K", "D", "T", "L", "S"], TABLE)
        .pawn("B")
        .words(&["skak"], &["mat", "skakmat"]),
    row("fi", "Finnish", ["K", "D", "T", "L", "R"], TABLE)
        .pawn("S")
        .words(&["shakki"], &["matti"])
        .castling(&["lyhyt linnoitus"], &["pitkä linnoitus"]),
    row("et", "Estonian", ["K", "L", "V", "O", "R"], LAWS)
        .words(&["tuli"], &["matt"])
        .castling(&["lühike vangerdus"], &["pikk vangerdus"]),
    row("lv", "Latvian", ["K", "D", "T", "L", "Z"], TABLE).words(&[], &["mats"]),
    row("lt", "Lithuanian", ["K", "V", "B", "R", "Ž"], TABLE)
        .pawn("P")
        .variants(&[(Knight, "Z")])
        .words(&[], &["matas"]),
    row("is", "Icelandic", ["K", "D", "H", "B", "R"], TABLE)
        .pawn("P")
        .words(&[], &["mát"]),
    row(
        "figurine",
        "Figurines",
        ["♔", "♕", "♖", "♗", "♘"],
        "The Unicode Standard, Miscellaneous Symbols",
    )
    .script(Script::Figurine)
    .pawn("♙")
    .variants(&[
        (King, "♚"),
        (Queen, "♛"),
        (Rook, "♜"),
        (Bishop, "♝"),
        (Knight, "♞"),
        (Pawn, "♟"),
    ]),
];

/// A row with what most languages have in common.
const fn row(
    code: &'static str,
    name: &'static str,
    pieces: [&'static str; 5],
    source: &'static str,
) -> Language {
    Language {
        code,
        name,
        script: Script::Latin,
        pieces,
        pawn: None,
        variants: &[],
        captures: &["x", ":"],
        check: &[],
        mate: &[],
        castling: [&[], &[]],
        source,
    }
}

impl Language {
    const fn pawn(mut self, letter: &'static str) -> Self {
        self.pawn = Some(letter);
        self
    }

    const fn variants(mut self, variants: &'static [(Piece, &'static str)]) -> Self {
        self.variants = variants;
        self
    }

    const fn script(mut self, script: Script) -> Self {
        self.script = script;
        self
    }

    const fn cyrillic(self) -> Self {
        self.script(Script::Cyrillic)
    }

    const fn captures(mut self, signs: &'static [&'static str]) -> Self {
        self.captures = signs;
        self
    }

    const fn words(
        mut self,
        check: &'static [&'static str],
        mate: &'static [&'static str],
    ) -> Self {
        self.check = check;
        self.mate = mate;
        self
    }

    const fn castling(
        mut self,
        short: &'static [&'static str],
        long: &'static [&'static str],
    ) -> Self {
        self.castling = [short, long];
        self
    }
}
