"""From a grey cell to the network's input, as the product does it, with the augmentation of training; and the real cells.

Input contract: the cell (64 pixels high) is cut to its ink from left to right with a small margin and scaled to 48 pixels
high; its width chooses the bucket, into which it is squeezed, or stretched, but by 1.2 at most: a hand is wider than the network needs,
and every column costs time. It stands at the left; ink = 1 and paper = 0, also right of it.
"""

import cv2
import numpy as np

BUCKETS = (48, 64, 80, 96, 128, 176)
WIDEST = (56, 92, 118, 142, 190)  # widest writing that goes into each bucket, before it is squeezed; the last takes all the rest
ROUNDING = 0.01  # writing of just that width goes into the bucket however its width was rounded
HEIGHT = 48
CELL_HEIGHT = 64
MARGIN = 4  # pixels of the input kept left and right of the ink
STRETCH = 1.2  # narrow writing is widened by this at most to fill its bucket
EDGE = 15  # pixels of the cell image at every side where rules may run
INK_SHARE = 33  # one pixel in so many is at least as dark as the ink level of a cell
DARKEST, FAINTEST = 110, 40  # bounds of the darkness from which on a pixel is ink; between them 0.47 of the ink level
JOIN = 7  # columns without ink that part two runs
SPECK = 12  # dark pixels that a run has at least

# How a cell is held before the network: times as high as it is, pixels by which it is raised, columns by which each row is moved right for each row that it lies below the middle.
STRAIGHT = (1.0, 0.0, 0.0)
OTHER_LOOKS = ((1.1, 2.0, 0.0), (1.1, 0.0, 0.16))


def bucket_of(width):
    """Number of the bucket for writing of this many pixels at full height."""
    for i, widest in enumerate(WIDEST):
        if width <= widest + ROUNDING:
            return i
    return len(BUCKETS) - 1


def ink_columns(cell):
    """(left, right) columns of the writing in a real cell; the whole cell where none is found.

    Ink is what is darker than about half of the cell's ink level, so that faint pencil counts. Looks inside of the rules only: 15 pixels from every side of the image (the pads are 11). Rows that are dark along most of
    the cell are a rule and do not count, nor do specks. Writing that touches the side of this window goes on to the side of the image.
    """
    darkness = 255 - cell[EDGE:CELL_HEIGHT - EDGE, EDGE:cell.shape[1] - EDGE]
    width = darkness.shape[1]
    if width < 8:
        return 0, cell.shape[1]
    level = int(np.partition(darkness, -(darkness.size // INK_SHARE), axis=None)[-(darkness.size // INK_SHARE)])
    dark = darkness > min(DARKEST, max(FAINTEST, level * 47 // 100))
    counts = dark[dark.sum(1) < 0.7 * width].sum(0)
    left, right, start, area, gap = None, None, None, 0, 0
    for x in range(width + JOIN):
        count = counts[x] if x < width else 0
        if count:
            if start is None:
                start, area = x, 0
            area, gap, end = area + count, 0, x + 1
        elif start is not None:
            gap += 1
            if gap >= JOIN:
                if area >= SPECK:
                    left, right = start if left is None else left, end
                start = None
    if left is None:
        return 0, cell.shape[1]
    left = 0 if left <= 2 else left + EDGE
    right = cell.shape[1] if right >= width - 2 else right + EDGE
    return left, right


def to_input(cell, left, right, look=STRAIGHT):
    """Input `48 x bucket` of a cell whose ink lies in columns `left..right`, from one look; no augmentation."""
    taller, raised, unslanted = look
    scale = HEIGHT / CELL_HEIGHT
    margin, middle = MARGIN / scale, CELL_HEIGHT / 2
    left, right = max(0.0, left - margin), min(float(cell.shape[1]), right + margin)
    matrix = np.float32([
        [scale, scale * unslanted, -scale * (left + unslanted * middle)],
        [0, scale * taller, HEIGHT / 2 - scale * taller * middle - raised],
    ])
    return place(cell, matrix, (right - left) * scale)


def place(cell, matrix, width):
    """Draws the cell through an affine matrix into the bucket for `width` pixels, squeezed or stretched to fill it."""
    bucket = BUCKETS[bucket_of(width)]
    factor = min(STRETCH, bucket / width)
    matrix = matrix.copy()
    matrix[0] *= factor
    width *= factor
    drawn = cv2.warpAffine(255 - cell, matrix, (bucket, HEIGHT), flags=cv2.INTER_LINEAR, borderValue=0)
    drawn[:, int(np.ceil(width)):] = 0
    return drawn


def bent(drawn, rng):
    """The input with its strokes bent: a smooth random field of shifts, about a pixel and a half at most."""
    height, width = drawn.shape
    strength = rng.uniform(0.5, 1.6)
    knots = rng.normal(0, strength, (2, 5, max(3, width // 10))).astype(np.float32)
    dx, dy = (cv2.resize(k, (width, height), interpolation=cv2.INTER_CUBIC) for k in knots)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return cv2.remap(drawn, x + dx, y + dy, cv2.INTER_LINEAR, borderValue=0)


def augmented_input(cell, left, right, rng):
    """Input with random margins, size, slant, turn, shift, contrast and noise."""
    return retouched(placed_at_random(cell, left, right, rng), rng)


def augmented_pair(cell, left, right, rng):
    """Two inputs (`2 x 48 x W`) of one cell that agree in margins, size, slant and turn, so that each time step sees the same letter, and differ in all else."""
    drawn = placed_at_random(cell, left, right, rng)
    return np.stack([masked(retouched(drawn, rng), rng) for _ in range(2)])


def placed_at_random(cell, left, right, rng):
    """Input with random margins, size, slant, turn and shift."""
    scale = HEIGHT / CELL_HEIGHT
    sx = scale * np.exp(rng.normal(0, 0.13))
    sy = scale * np.exp(rng.normal(0, 0.09))
    shear = rng.normal(0, 0.10)
    turn = rng.normal(0, 0.02)
    margin = MARGIN / scale
    before = max(-1.0, margin + rng.normal(0, 3.0)) if rng.random() < 0.85 else rng.uniform(0, 30)
    after = max(-1.0, margin + rng.normal(0, 3.0)) if rng.random() < 0.85 else rng.uniform(0, 30)
    left, right = max(0.0, left - before), min(float(cell.shape[1]), right + after)
    middle = CELL_HEIGHT / 2
    shift = HEIGHT / 2 - sy * middle + rng.normal(0, 1.2)
    matrix = np.float32([
        [sx, -shear * sy, -left * sx + shear * sy * middle],
        [turn * sx, sy, shift - turn * sx * (left + right) / 2],
    ])
    return place(cell, matrix, max(8.0, (right - left) * sx))


def retouched(drawn, rng):
    """A copy of the input with strokes bent and random contrast, blur, thickness, noise and holes."""
    drawn = drawn.copy()
    if rng.random() < 0.5:
        drawn = bent(drawn, rng)
    if rng.random() < 0.6:
        gain, offset = np.exp(rng.normal(0, 0.22)), rng.normal(0, 5)
        drawn = cv2.convertScaleAbs(drawn, alpha=gain, beta=offset) if offset >= 0 else np.clip(drawn * gain + offset, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        drawn = cv2.GaussianBlur(drawn, (0, 0), rng.uniform(0.4, 1.0))
    if rng.random() < 0.15:
        drawn = cv2.dilate(drawn, np.ones((2, 2), np.uint8)) if rng.random() < 0.5 else cv2.erode(drawn, np.ones((2, 2) if rng.random() < 0.3 else (1, 2), np.uint8))
    if rng.random() < 0.2:
        noise = rng.standard_normal(drawn.shape, np.float32) * rng.uniform(2, 10)
        drawn = np.clip(drawn + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.1:
        x, w = int(rng.integers(0, drawn.shape[1])), int(rng.integers(2, 8))
        y, h = int(rng.integers(0, HEIGHT)), int(rng.integers(2, 14))
        drawn[y:y + h, x:x + w] = 0
    return drawn


def masked(drawn, rng):
    """The input with up to two upright strips of paper laid over it, each narrower than a letter."""
    for _ in range(int(rng.integers(0, 3))):
        width = int(rng.integers(2, 7))
        x = int(rng.integers(0, drawn.shape[1] - width))
        drawn[:, x:x + width] = 0
    return drawn
