"""The letters that the reader knows: one class per line of `models/alphabet.txt`; class 0 is the blank of CTC.

A line has the character that the class is shown as, then all others of the same shape (Latin K and Cyrillic К, O and zero).
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "models" / "alphabet.txt"
BLANK = "<blank>"


class Alphabet:
    """Texts to class numbers and back."""

    def __init__(self, path=PATH):
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        if not lines or lines[0] != BLANK:
            raise ValueError(f"{path}: the first line must be {BLANK}")
        self.letters = [BLANK] + [line[0] for line in lines[1:]]
        self.index = {c: i for i, line in enumerate(lines) if i for c in line}

    def __len__(self):
        return len(self.letters)

    def encode(self, text):
        """Class numbers of a text without its spaces; `KeyError` where a letter has no class."""
        return [self.index[c] for c in text if not c.isspace()]

    def canonical(self, text):
        """The text as the classes spell it."""
        return "".join(self.letters[i] for i in self.encode(text))

    def decode_best_path(self, classes):
        """The text of one class number per time step: repeats merged, blanks dropped."""
        text, last = [], 0
        for c in classes:
            if c and c != last:
                text.append(self.letters[c])
            last = c
        return "".join(text)
