"""Handwriting composed from the glyphs of a font: every letter is bent, tilted, thickened and placed anew.

Ink is a float array, 0 = bare paper, 1 = full ink; y grows downwards, units are pixels of the page.
"""
import cv2
import numpy as np
from PIL import Image, ImageDraw

import fonts

OVERSAMPLING = 4


def smooth_field(rng, shape, sigma):
    """Gaussian noise of unit deviation that changes over about `sigma` pixels."""
    small = (max(2, int(shape[0] / sigma) + 2), max(2, int(shape[1] / sigma) + 2))
    return cv2.resize(rng.normal(size=small).astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


class Hand:
    """One writer: a font, habits (slant, size, spacing, spelling) and a pen. `cap_height` is in pixels."""

    def __init__(self, rng, family, cap_height, pen_width, slant=0.0, spacing=0.06, size=1.0, unrest=1.0):
        self.rng, self.pen_width, self.slant, self.spacing, self.unrest = rng, pen_width, slant, spacing, unrest
        self.cap_height = cap_height * size
        probe = fonts.load(family, 200)
        left, top, right, bottom = probe.getbbox("N", anchor="ls")
        self.font_size = 200 * self.cap_height / (bottom - top)
        self.font = fonts.load(family, round(self.font_size * OVERSAMPLING))
        self.stroke = self._stroke_width()

    def _stroke_width(self):
        """Usual stroke width of the font at the oversampled size: area over half the outline."""
        mask = self._mask("N")
        edges = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 127
        return 4.0 * (mask > 127).sum() / max(1, edges.sum())

    def _mask(self, text, pad=0):
        left, top, right, bottom = self.font.getbbox(text, anchor="ls")
        image = Image.new("L", (right - left + 2 * pad, bottom - top + 2 * pad), 0)
        ImageDraw.Draw(image).text((pad - left, pad - top), text, font=self.font, fill=255, anchor="ls")
        return np.asarray(image)

    def _letter(self, char, scale):
        """Bent letter as (ink at page scale, x and y of its top left corner against its origin on the baseline)."""
        rng, k = self.rng, self.cap_height * OVERSAMPLING
        pad = int(0.45 * k)
        left, top, right, bottom = self.font.getbbox(char, anchor="ls")
        mask = self._mask(char, pad).astype(np.float32) / 255
        height, width = mask.shape
        # Weight: shift the threshold of the distance to the outline until strokes have the pen's width.
        grow = (self.pen_width * OVERSAMPLING * rng.normal(1, 0.05) - self.stroke) / 2
        inside = cv2.distanceTransform((mask > 0.5).astype(np.uint8), cv2.DIST_L2, 5)
        outside = cv2.distanceTransform((mask <= 0.5).astype(np.uint8), cv2.DIST_L2, 5)
        wobble = smooth_field(rng, mask.shape, 0.3 * k) * 0.12 * self.pen_width * OVERSAMPLING
        grow = max(grow, -0.3 * self.stroke, -0.4 * float(inside.max()))  # dots and hairlines must not vanish
        mask = np.clip(inside - outside + grow + wobble + 0.5, 0, 1)
        # Shape: slant, rotation, stretch about the origin, then a smooth elastic field.
        angle = np.deg2rad(rng.normal(0, 3.2) * self.unrest)
        stretch = scale * np.exp(rng.normal(0, 0.06, 2) * self.unrest)
        shear = self.slant + rng.normal(0, 0.05) * self.unrest
        matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.array(
            [[stretch[0], -shear * stretch[1]], [0, stretch[1]]])
        inverse = np.linalg.inv(matrix)
        origin = np.array([pad - left, pad - top], np.float32)
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        bend = 0.032 * k * self.unrest
        sx = xs - origin[0] + bend * smooth_field(rng, mask.shape, 0.5 * k)
        sy = ys - origin[1] + bend * smooth_field(rng, mask.shape, 0.5 * k)
        mask = cv2.remap(mask, (inverse[0, 0] * sx + inverse[0, 1] * sy + origin[0]).astype(np.float32),
                         (inverse[1, 0] * sx + inverse[1, 1] * sy + origin[1]).astype(np.float32), cv2.INTER_LINEAR)
        mask *= np.clip(0.9 + 0.1 * smooth_field(rng, mask.shape, 0.6 * k), 0.62, 1)
        small = cv2.resize(mask, (max(1, width // OVERSAMPLING), max(1, height // OVERSAMPLING)), interpolation=cv2.INTER_AREA)
        return small, -origin / OVERSAMPLING

    def width(self, text):
        """Expected width of a text in pixels."""
        return self.font.getlength(text) / OVERSAMPLING + self.spacing * self.cap_height * len(text)

    def write(self, ink, text, x, y, scale=1.0):
        """Writes a text with its baseline starting at (x, y); returns the x where it ends."""
        rng, k = self.rng, self.cap_height
        slope = np.tan(np.deg2rad(rng.normal(0.8, 1.3) * self.unrest))
        start = x
        for char in text:
            if char != " ":
                letter, offset = self._letter(char, scale)
                top = y - slope * (x - start) + rng.normal(0, 0.035) * k * self.unrest + offset[1]
                lay(ink, letter, x + offset[0], top)
            x += scale * (self.font.getlength(char) / OVERSAMPLING + k * (self.spacing + rng.normal(0, 0.03) * self.unrest))
        return x

    def line(self, ink, points, width=None):
        """Draws a free line through points, a little bent."""
        rng = self.rng
        points = np.asarray(points, np.float32)
        t = np.linspace(0, 1, 24 * (len(points) - 1) + 1) * (len(points) - 1)
        path = np.stack([np.interp(t, np.arange(len(points)), points[:, i]) for i in (0, 1)], 1)
        path = cv2.GaussianBlur(path, (1, 9), 2, borderType=cv2.BORDER_REPLICATE)
        length = max(1.0, float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()))
        tremor = 0.8 * self.cap_height * len(t) / length  # samples over which the line sways
        path += np.stack([smooth_field(rng, (len(t), 1), tremor)[:, 0] for _ in (0, 1)], 1) * 0.05 * self.cap_height
        stroke = np.zeros(ink.shape, np.uint8)
        cv2.polylines(stroke, [np.round(path * 16).astype(np.int32)], False, 255,
                      max(1, round(width or self.pen_width)), cv2.LINE_AA, 4)
        np.maximum(ink, stroke.astype(np.float32) / 255 * 0.92, out=ink)

    def strike(self, ink, x0, x1, y):
        """Crosses out what stands between x0 and x1 on the baseline y: a stroke, two strokes or a zigzag."""
        k, rng = self.cap_height, self.rng
        middle = y - 0.42 * k
        kind = rng.integers(3)
        if kind == 0:
            self.line(ink, [(x0 - 0.2 * k, middle + 0.1 * k), (x1 + 0.15 * k, middle - 0.12 * k)])
        elif kind == 1:
            for shift in (-0.14, 0.16):
                self.line(ink, [(x0 - 0.2 * k, middle + shift * k), (x1 + 0.2 * k, middle + (shift - 0.08) * k)])
        else:
            xs = np.linspace(x0 - 0.15 * k, x1 + 0.1 * k, 9)
            self.line(ink, [(x, middle + (0.36 if i % 2 else -0.36) * k + rng.normal(0, 0.05) * k) for i, x in enumerate(xs)])

    def signature(self, ink, x, y, length):
        """A scrawl that starts at (x, y): loops that shrink to a flat tail."""
        k, rng = self.cap_height, self.rng
        t = np.linspace(0, 1, 160)
        turns = rng.uniform(4, 7)
        swing = np.exp(-2.2 * t) * (1 + 0.35 * smooth_field(rng, (160, 1), 18)[:, 0])
        xs = x + length * t ** 1.3 - 0.55 * k * swing * np.sin(2 * np.pi * turns * t)
        ys = y - 0.35 * k - 0.9 * k * swing * np.cos(2 * np.pi * turns * t + 0.6) + 0.4 * k * (t - 0.5) * rng.uniform(-1, 0.3)
        self.line(ink, np.stack([xs, ys], 1)[::2])


def lay(ink, letter, x, y):
    """Lays a letter on the page with its top left corner at (x, y), to a fraction of a pixel."""
    height, width = letter.shape
    column, row = int(np.floor(x)), int(np.floor(y))
    letter = cv2.warpAffine(letter, np.float32([[1, 0, x - column], [0, 1, y - row]]), (width + 1, height + 1))
    r0, c0 = max(row, 0), max(column, 0)
    r1, c1 = min(row + height + 1, ink.shape[0]), min(column + width + 1, ink.shape[1])
    if r0 < r1 and c0 < c1:
        part = letter[r0 - row:r1 - row, c0 - column:c1 - column]
        np.maximum(ink[r0:r1, c0:c1], part, out=ink[r0:r1, c0:c1])
