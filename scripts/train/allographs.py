"""Letter forms of European school hands that the character sets lack, drawn from our own strokes.

Coordinates are cap heights: x to the right, y down from the baseline, so that capitals reach to -1.
"""

import cv2
import numpy as np

STROKES = {
    "f": [
        # hook, stem below the line, bar
        [[(0.52, -0.88), (0.42, -1.0), (0.30, -0.85), (0.25, -0.4), (0.2, 0.1), (0.1, 0.38), (-0.05, 0.4), (-0.1, 0.25)],
         [(0.05, -0.5), (0.5, -0.52)]],
        # upper and lower loop in one stroke
        [[(-0.05, -0.35), (0.25, -0.6), (0.4, -0.95), (0.25, -1.0), (0.18, -0.6), (0.18, 0.1), (0.12, 0.4), (0.0, 0.35), (0.1, 0.05), (0.45, -0.15)]],
        # like a beta: two bowls at the stem
        [[(0.0, 0.25), (0.08, -0.4), (0.2, -0.95), (0.38, -0.95), (0.4, -0.7), (0.12, -0.45), (0.38, -0.35), (0.42, -0.08), (0.2, 0.02), (0.06, -0.05)]],
        # upper loop to the right, tail to the right
        [[(0.0, -0.3), (0.3, -0.75), (0.3, -1.0), (0.16, -0.9), (0.14, -0.2), (0.12, 0.3), (0.25, 0.2), (0.3, -0.1), (0.15, -0.25), (0.5, -0.3)]],
    ],
    "h": [
        [[(0.05, 0.0), (0.1, -0.6), (0.22, -0.98), (0.4, -0.95), (0.38, -0.7), (0.12, -0.45), (0.35, -0.42), (0.42, -0.2), (0.45, 0.0)]],
        [[(-0.05, -0.1), (0.2, -0.6), (0.33, -0.95), (0.22, -1.0), (0.12, -0.7), (0.08, 0.0), (0.12, -0.3), (0.3, -0.5), (0.42, -0.35), (0.42, -0.05), (0.52, 0.0)]],
        # upstroke, narrow loop, arch from its foot: nearly a capital A
        [[(0.0, 0.0), (0.15, -0.55), (0.33, -0.95), (0.2, -1.0), (0.05, -0.75), (0.1, -0.48), (0.35, -0.5), (0.4, -0.25), (0.42, 0.0)]],
    ],
    "1": [[[(-0.32, -0.4), (0.0, -0.97)], [(0.02, -1.0), (0.0, 0.0)]], [[(-0.2, -0.7), (0.0, -0.97)], [(0.02, -1.0), (0.0, 0.0)], [(-0.2, 0.0), (0.2, 0.0)]]],
    "7": [[[(-0.2, -0.93), (0.3, -0.97)], [(0.3, -0.97), (0.05, 0.0)], [(-0.05, -0.5), (0.33, -0.52)]]],
    "2": [[[(-0.2, -0.8), (0.0, -1.0), (0.2, -0.8), (0.05, -0.35), (-0.2, -0.02), (-0.22, -0.16), (0.0, -0.1), (0.3, 0.0), (0.45, -0.2)]],
          [[(-0.2, -0.8), (0.0, -1.0), (0.2, -0.8), (0.0, -0.3), (-0.22, 0.0), (0.1, -0.02), (0.35, -0.1), (0.5, -0.5)]]],
    "4": [[[(-0.18, -1.0), (-0.25, -0.45), (0.28, -0.45)], [(0.2, -0.8), (0.15, 0.0)]]],
    "e": [[[(0.3, -0.58), (0.05, -0.62), (0.0, -0.42), (0.18, -0.33), (-0.02, -0.2), (0.0, -0.02), (0.3, -0.05)]]],
    "d": [[[(0.3, -0.4), (0.1, -0.52), (-0.02, -0.2), (0.12, 0.0), (0.32, -0.2), (0.35, -0.6), (0.12, -1.0)]]],
    "x": [[[(0.0, -0.5), (0.18, -0.42), (0.16, -0.05), (0.0, 0.0)], [(0.46, -0.5), (0.28, -0.42), (0.3, -0.08), (0.48, 0.0)]]],
}
CAP = 40  # pixels of a cap height in the drawn image


def curve(points, smooth):
    """Points along a Catmull-Rom spline, or the polygon itself where a stroke is angular."""
    p = np.asarray(points, float)
    if not smooth or len(p) < 3:
        return p
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    t = np.linspace(0, 1, 8, endpoint=False)[:, None]
    parts = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t ** 2 + (3 * b - a - 3 * c + d) * t ** 3)
        for a, b, c, d in zip(p, p[1:], p[2:], p[3:])
    ]
    return np.vstack(parts + [p[-2:-1]])


def draw_allograph(letter, form, thickness, rng):
    """(image cut to its ink with 255 = ink, height and depth below the baseline in cap heights), each time a little different."""
    strokes = STROKES[letter][form]
    width = np.exp(rng.normal(0.05, 0.12))
    lines = []
    for points in strokes:
        moved = np.asarray(points) * [width, 1.0] + rng.normal(0, 0.03, (len(points), 2))
        lines.append(curve(moved, len(points) > 3))
    every = np.vstack(lines)
    left, top = every.min(0)
    canvas_size = np.ceil((every.max(0) - every.min(0)) * CAP).astype(int) + 8
    canvas = np.zeros((canvas_size[1], canvas_size[0]), np.uint8)
    for line in lines:
        pixels = np.int32(np.round((line - [left, top]) * CAP * 16 + 4 * 16))
        cv2.polylines(canvas, [pixels], False, 255, thickness, cv2.LINE_AA, shift=4)
    ys, xs = np.nonzero(canvas > 100)
    cut = np.ascontiguousarray(canvas[ys.min():ys.max() + 1, xs.min():xs.max() + 1])
    return cut, cut.shape[0] / CAP, max(0.0, every[:, 1].max())
