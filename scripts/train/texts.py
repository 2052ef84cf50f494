"""Texts to be composed: moves of real games as people of many languages write them, and strings that are no moves.

The games come as the example `cell_texts` of the notation crate writes them: one line a game with its language, its system
and the texts of its moves, all in the letters that the classes are shown as.
"""

import random
import re
from collections import defaultdict

CYRILLIC = {"sr-cyrl", "ru", "bg", "uk", "mk", "be"}
GREEK = {"el"}
WORDS = ["resigns", "draw", "1-O", "O-1", "½-½", "mat", "mate", "=", "(=)", "remis", "opgave", "1O:35", "1:12", "45", "?", "!", "-", "++",
         "tablas", "nulle", "abandon", "gibtauf", "remi", "patt"]
CYRILLIC_WORDS = ["мат", "шах", "пат", "ничья", "реми", "сдался", "+", "++", "=", "1-O", "O-1"]
SQUARE = re.compile("[a-h][1-8]")


def read_games(path):
    """[(language, system, [text])] of a file of `cell_texts`."""
    games = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            language, system, texts = line.rstrip("\n").split("\t")
            if texts:
                games.append((language, system, texts.split(" ")))
    return games


class Texts:
    """Draws the texts of one writer after another; a writer keeps to a language and a system."""

    def __init__(self, path, seed, language=None, system=None, moves_only=False):
        self.rng = random.Random(seed)
        self.moves_only = moves_only
        self.games = defaultdict(list)
        for found, form, texts in read_games(path):
            if language in (None, found) and system in (None, form):
                self.games[found, form].append(texts)
        if not self.games:
            raise ValueError(f"{path}: no game in {language} {system}")
        self.kinds = list(self.games)
        self.shares = [len(self.games[kind]) for kind in self.kinds]
        self.new_writer()

    def new_writer(self):
        """Goes on with another writer."""
        rng = self.rng
        self.language, self.system = rng.choices(self.kinds, self.shares)[0]
        self.capital_files, self.small_pieces = rng.random() < 0.03, rng.random() < 0.03

    def move(self):
        """A move of a real game in the writer's language; short pawn moves a little less often than in games."""
        rng = self.rng
        for _ in range(3):
            text = rng.choice(rng.choice(self.games[self.language, self.system]))
            if len(text) > 2 or rng.random() < 0.7:
                break
        if self.capital_files:
            text = SQUARE.sub(lambda found: found[0].upper(), text)
        if self.small_pieces and text[0] not in "Oo":
            text = text[0].lower() + text[1:]
        return text

    def other_squares(self, text):
        """The text with other squares, so that the reader does not learn what is usual."""
        rng = self.rng
        return SQUARE.sub(lambda _: rng.choice("abcdefgh") + rng.choice("12345678"), text)

    def other(self, letters):
        """A word, or any letters."""
        rng = self.rng
        if rng.random() < 0.4:
            return rng.choice(CYRILLIC_WORDS if self.language in CYRILLIC else WORDS)
        return "".join(rng.choice(letters) for _ in range(rng.randint(1, 6)))

    def draw(self, letters):
        """A text: mostly a move, seldom something else of the given letters."""
        share = self.rng.random()
        if share < 0.80 or self.moves_only:
            return self.move()
        if share < 0.95:
            return self.other_squares(self.move())
        return self.other(letters)
