"""Texts to be composed: moves of real games in the spellings that people use, and strings that are no English moves."""

import gzip
import random

PIECES = {
    "en": "KQRBN", "nl": "KDTLP", "de": "KDTLS", "fr": "RDTFC", "es": "RDTAC", "it": "RDTAC", "pl": "KHWGS",
    "sr": "KDTLS", "se": "KDTLS", "dk": "KDTLS",
}
FILES, RANKS = "abcdefgh", "12345678"
WORDS = ["resigns", "draw", "1-O", "O-1", "½-½", "mat", "mate", "=", "(=)", "remis", "opgave", "1O:35", "1:12", "45", "?", "!", "-"]


def read_games(path, limit=20000):
    """Lists of SAN from `games.txt.gz`, one game a line."""
    with gzip.open(path, "rt") as lines:
        return [line.split() for _, line in zip(range(limit), lines)]


def sloppy(san, style, rng):
    """The move as somebody with these habits writes it."""
    if san.startswith("O-O"):
        text = san
        if style["castling"] == "joined":
            text = text.replace("-", "")
        elif style["castling"] == "small":
            text = text.replace("O", "o")
        elif style["castling"] == "equals":
            text = text.replace("-", "=")
        return text if style["check"] else text.rstrip("+#")
    mark = san[-1] if san[-1] in "+#" else ""
    body = san.rstrip("+#")
    promotion = ""
    if "=" in body:
        body, piece = body.split("=")
        promotion = {"plain": piece, "equals": "=" + piece, "brackets": f"({piece})", "slash": "/" + piece}[style["promotion"]]
    if "x" in body:
        if body[0] in FILES:
            start, target = body.split("x")
            body = {
                "x": body, "none": start + target, "files": start + target[0], "x files": f"{start}x{target[0]}",
                ":": f"{start}:{target}", "end": body,
            }[style["pawn capture"]]
        else:
            body = {"x": body, "none": body.replace("x", ""), ":": body.replace("x", ":"), "end": body.replace("x", "") + ":"}[style["capture"]]
    if mark and not style["check"]:
        mark = ""
    elif mark == "#" and style["mate"] != "#":
        mark = style["mate"]
    elif mark == "+" and style["check"] == "rare" and rng.random() < 0.5:
        mark = ""
    return body + promotion + mark


def random_style(rng):
    """Habits of one writer."""
    return {
        "castling": rng.choices(["usual", "joined", "small", "equals"], [20, 2, 1, 1])[0],
        "check": rng.choices(["always", "rare", ""], [5, 3, 3])[0],
        "mate": rng.choices(["#", "+", "++", ""], [6, 1, 2, 1])[0],
        "promotion": rng.choices(["plain", "equals", "brackets", "slash"], [4, 5, 1, 1])[0],
        "capture": rng.choices(["x", "none", ":", "end"], [20, 4, 1, 0.3])[0],
        "pawn capture": rng.choices(["x", "none", "files", "x files", ":"], [20, 3, 2, 1, 1])[0],
        "capital files": rng.random() < 0.03, "small pieces": rng.random() < 0.04,
    }


class Texts:
    """Draws (text, kind) pairs."""

    def __init__(self, games, seed):
        self.games, self.rng = games, random.Random(seed)

    def move(self, style):
        """A move of a real game in a writer's habits; captures, castling and checks a little more often than in games."""
        rng = self.rng
        for _ in range(3):
            san = rng.choice(rng.choice(self.games))
            if len(san) > 2 or rng.random() < 0.7:
                break
        text = sloppy(san, style, rng)
        if style["capital files"] and "O" not in text:
            text = text.upper().replace("X", "x")
        if style["small pieces"] and text[0] in "KQRN":
            text = text[0].lower() + text[1:]
        return text

    def any_move(self, style):
        """The shape of a move with any square, so that the reader does not learn what is usual."""
        rng = self.rng
        piece = rng.choice(["", "", "K", "Q", "R", "B", "N", "N"])
        square = rng.choice(FILES) + rng.choice(RANKS)
        if not piece:
            return sloppy(rng.choice(FILES) + "x" + square, style, rng) if rng.random() < 0.5 else square
        middle = rng.choice(["", "", "", rng.choice(FILES), rng.choice(RANKS)])
        return sloppy(piece + middle + rng.choice(["", "x"]) + square + rng.choice(["", "", "+"]), style, rng)

    def foreign(self, style):
        """A move with the piece letters of another language, or a long one."""
        rng = self.rng
        letters = PIECES[rng.choice(list(PIECES))]
        text = self.move(style) if rng.random() < 0.7 else self.any_move(style)
        text = "".join(letters["KQRBN".index(c)] if c in "KQRBN" else c for c in text)
        if rng.random() < 0.25 and "O" not in text:
            start = rng.choice(FILES) + rng.choice(RANKS)
            piece = text[0] if text[0].isupper() else ""
            text = piece + start + rng.choice("--x:") + rng.choice(FILES) + rng.choice(RANKS)
        return text

    def other(self, letters):
        """A word, or any letters."""
        rng = self.rng
        if rng.random() < 0.3:
            return rng.choice(WORDS)
        return "".join(rng.choice(letters) for _ in range(rng.randint(1, 6)))

    def draw(self, style, letters):
        share = self.rng.random()
        if share < 0.70:
            return self.move(style)
        if share < 0.84:
            return self.any_move(style)
        if share < 0.95:
            return self.foreign(style)
        return self.other(letters)
