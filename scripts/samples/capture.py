"""From the flat page to a scan or a photo.

A page is an RGB float array of reflectances, 0..1. Each capture gives the image (RGB, uint8) and a function that maps points
(N x 2, x and y) of the flat page to pixels of the image, so that the truth of the grid is known.
"""
import cv2
import numpy as np

from hand import smooth_field

PENS = {  # reflectance of full ink, and how much of it a stroke lays down
    "black gel": ((0.10, 0.10, 0.12), 0.95),
    "blue ballpoint": ((0.13, 0.20, 0.52), 0.88),
    "dark blue": ((0.10, 0.13, 0.36), 0.92),
    "black ballpoint": ((0.15, 0.15, 0.17), 0.85),
    "pencil": ((0.42, 0.42, 0.43), 0.60),
}


def compose(rng, printing, ink, pen, paper=(0.965, 0.96, 0.945)):
    """Paper with grain, the printing on it, the handwriting over both."""
    shape = printing.shape
    grain = 1 + 0.006 * smooth_field(rng, shape, 3) + 0.006 * smooth_field(rng, shape, 60)
    page = np.asarray(paper, np.float32) * grain[..., None]
    page *= 1 - 0.93 * cv2.GaussianBlur(printing, (0, 0), 0.6)[..., None]
    colour, strength = PENS[pen]
    cover = ink * strength
    if pen == "pencil":  # graphite catches on the grain of the paper, and the page carries smudges
        cover *= np.clip(1 + 0.30 * smooth_field(rng, shape, 1.6), 0.35, 1.25)
        cover = np.maximum(cover, 0.05 * np.clip(cv2.GaussianBlur(ink, (0, 0), 9) - 0.08, 0, 1))
    else:  # ballpoint skips a little
        cover *= np.clip(1 + 0.10 * smooth_field(rng, shape, 2.2), 0.6, 1.08)
    cover = np.clip(cover, 0, 1)[..., None]
    return np.clip(page * (1 - cover * (1 - np.asarray(colour, np.float32))), 0, 1)


def finish(rng, image, noise, blur):
    """Lens or scanner blur, sensor noise, eight bits."""
    image = cv2.GaussianBlur(image, (0, 0), blur) if blur else image
    grey = smooth_field(rng, image.shape[:2], 1.3)[..., None] * noise
    return np.clip((image + grey) * 255 + 0.5, 0, 255).astype(np.uint8)


def turn(points, matrix):
    """Points through a 3 x 3 projective matrix."""
    p = np.concatenate([points, np.ones((len(points), 1))], 1) @ matrix.T
    return p[:, :2] / p[:, 2:]


def scan(rng, page, skew=0.0):
    """Flatbed scan: white lid, a small turn (degrees), faint dust, a dark edge on one side."""
    height, width = page.shape[:2]
    matrix = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), skew, 1.0), [0, 0, 1]])
    image = cv2.warpAffine(page, matrix[:2], (width, height), flags=cv2.INTER_CUBIC, borderValue=(0.985, 0.985, 0.985))
    image = np.clip((image - 0.02) * 1.045, 0, 1)
    for _ in range(14):
        x, y, shade = rng.integers(width), rng.integers(height), rng.uniform(0.55, 0.85)
        cv2.circle(image, (int(x), int(y)), int(rng.integers(1, 3)), (shade,) * 3, -1, cv2.LINE_AA)
    reach = 5 + 4 * np.clip(smooth_field(rng, (height, 1), 300), -1, 1)  # shadow of the paper's edge under the lid
    image *= (1 - 0.3 * np.exp(-np.arange(width) / reach))[..., None]
    return finish(rng, image, 0.010, 0.55), lambda points: turn(points, matrix)


def table_top(rng, height, width, tone):
    """A wooden table: boards with long grain."""
    grain = 0.5 * smooth_field(rng, (width, 1), 3)[:, 0] + 0.8 * smooth_field(rng, (width, 1), 25)[:, 0]
    xs, ys = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    bent = (xs + 16 * smooth_field(rng, (height, width), 500)).astype(np.float32)
    wood = cv2.remap(np.tile(grain.astype(np.float32), (2, 1)), bent, np.zeros_like(ys), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    wood = 1 + 0.10 * wood + 0.03 * smooth_field(rng, (height, width), 5)
    wood *= 1 - 0.55 * ((bent % (width / 3.2)) < 4)
    return np.asarray(tone, np.float32) * wood[..., None]


def photo(rng, page, size, corners, bulge, shadow, tint, tone):
    """Phone photo: `corners` are where the page's corners (tl, tr, br, bl) fall, as fractions of `size` (width, height);
    `bulge` is the sag of the bent paper in page pixels; `shadow` a polygon in fractions of the photo."""
    height, width = page.shape[:2]
    out_width, out_height = size
    source = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    matrix = cv2.getPerspectiveTransform(source, np.float32(corners) * np.float32([out_width, out_height])).astype(np.float64)

    def bend(p):
        """Displacement of the bent paper at page points."""
        x, y = p[..., 0] / width, p[..., 1] / height
        lift = np.sin(np.pi * x) * (0.4 + 0.6 * y)
        return np.stack([0.35 * bulge * np.sin(2 * np.pi * y) * x, -bulge * lift], -1)

    xs, ys = np.meshgrid(np.arange(out_width), np.arange(out_height))
    flat = turn(np.stack([xs.ravel(), ys.ravel()], 1).astype(np.float64), np.linalg.inv(matrix))
    where = flat.copy()
    for _ in range(3):
        where = flat - bend(where)
    where = where.reshape(out_height, out_width, 2).astype(np.float32)
    image = cv2.remap(page, where[..., 0], where[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    on_page = ((where[..., 0] > 0) & (where[..., 0] < width - 1) & (where[..., 1] > 0) & (where[..., 1] < height - 1)).astype(np.float32)
    on_page = cv2.GaussianBlur(on_page, (0, 0), 0.8)
    under = np.roll(cv2.GaussianBlur(on_page, (0, 0), 14), (10, 8), (0, 1))
    table = table_top(rng, out_height, out_width, tone) * (1 - 0.55 * under)[..., None]
    image = image * on_page[..., None] + table * (1 - on_page[..., None])
    # Light: falls off over the picture, is dimmed along the bend, and a soft shadow lies on a part.
    u, v = xs / out_width, ys / out_height
    light = 0.98 - 0.26 * u - 0.12 * v + 0.03 * smooth_field(rng, (out_height, out_width), 400)
    light *= 1 - 0.07 * np.clip(np.sin(2 * np.pi * where[..., 0] / width), -1, 1) * on_page
    dark = np.zeros((out_height, out_width), np.uint8)
    cv2.fillPoly(dark, [np.int32(np.float32(shadow) * np.float32([out_width, out_height]))], 255, cv2.LINE_AA)
    light *= 1 - 0.38 * cv2.GaussianBlur(dark.astype(np.float32) / 255, (0, 0), out_width / 60)
    image = np.clip(image, 0, 1) * light[..., None] * np.asarray(tint, np.float32)
    return finish(rng, image, 0.013, 0.8), lambda points: turn(points + bend(points), matrix)
