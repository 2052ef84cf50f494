"""Printed forms, drawn by us: title, fields, two blocks of move rows, result and signature lines.

A form is the printing (float array, 0 = bare paper, 1 = black), the quads of its move cells and the places of its fields,
in pixels of the flat page.
"""
import dataclasses

import numpy as np
from PIL import Image, ImageDraw

import fonts


@dataclasses.dataclass
class Form:
    printing: np.ndarray
    blocks: int
    rows: int
    first_number: int
    cells: dict        # (move number, "white" | "black") -> (left, top, right, bottom)
    fields: dict       # name -> (left, baseline, right)


@dataclasses.dataclass
class Style:
    """Looks of a form; shades are coverage of black, widths are pixels."""
    title: str
    family: str
    rows: int
    line: float          # shade of thin lines
    heavy: float         # shade of frame lines
    header_shade: float  # ground of the column headings
    number_shade: float  # ground of the printed move numbers
    frame: int           # width of frame lines
    boxed_fields: bool   # fields as a table, else as dotted lines


STYLES = {
    "federation": Style("OFFICIAL SCORE SHEET", "lato", 25, 0.55, 0.85, 0.14, 0.10, 3, True),
    "club": Style("Club Championship · Score Sheet", "pt-serif", 30, 0.38, 0.70, 0.80, 0.0, 2, False),
}


def draw(style_name, width, height, first_number=1, page=1):
    """Draws a form for a page of the given size; `first_number` is the first printed move number."""
    style = STYLES[style_name]
    image = Image.new("L", (width, height), 0)
    pen = ImageDraw.Draw(image)
    unit = width / 1240
    tone = lambda shade: int(255 * shade)
    type_ = lambda size, weight=400: fonts.load(style.family, round(size * unit), weight)
    left, right = round(0.075 * width), round(0.925 * width)
    fields, cells = {}, {}

    title = style.title if page == 1 else style.title + " (continued)"
    pen.text(((left + right) / 2, 0.045 * height), title, font=type_(38, 700), fill=tone(0.9), anchor="mm")
    y = round(0.072 * height)
    step = round(0.0235 * height)
    lines = [[("Event", 0.0, 0.66), ("Date", 0.66, 1.0)], [("Round", 0.0, 0.33), ("Board", 0.33, 0.66), ("Section", 0.66, 1.0)],
             [("White", 0.0, 0.5), ("Black", 0.5, 1.0)]]
    for row in lines:
        for name, a, b in row:
            x0, x1 = round(left + a * (right - left)), round(left + b * (right - left))
            if style.boxed_fields:
                pen.rectangle((x0, y, x1, y + step), outline=tone(style.line), width=2)
            else:
                for x in range(round(x0 + 90 * unit), round(x1 - 12 * unit), round(6 * unit)):
                    pen.rectangle((x, y + step - 6 * unit, x + 1, y + step - 6 * unit + 1), fill=tone(0.6))
            pen.text((x0 + 8 * unit, y + step - 11 * unit), name, font=type_(17), fill=tone(0.75), anchor="ls")
            fields[name] = (x0 + 92 * unit, y + step - 10 * unit, x1)
        y += step

    top = y + round((0.0 if style.boxed_fields else 0.012) * height)
    bottom = round(0.895 * height)
    pitch = (bottom - top) / (style.rows + 1)
    number_width = 0.105
    middle = (left + right) / 2
    for block in range(2):
        x0 = left if block == 0 else middle
        x1 = middle if block == 0 else right
        xa = x0 + number_width * (x1 - x0)
        xb = (xa + x1) / 2
        pen.rectangle((x0, top, x1, top + pitch), fill=tone(style.header_shade))
        pen.rectangle((x0, top + pitch, xa, bottom), fill=tone(style.number_shade))
        ink = 0.0 if style.header_shade > 0.5 else 0.9
        for text, a, b in (("WHITE", xa, xb), ("BLACK", xb, x1)):
            pen.text(((a + b) / 2, top + pitch / 2), text, font=type_(18, 700), fill=tone(ink), anchor="mm")
        for row in range(style.rows):
            a, b = top + (row + 1) * pitch, top + (row + 2) * pitch
            number = first_number + block * style.rows + row
            pen.text(((x0 + xa) / 2, (a + b) / 2), str(number), font=type_(18, 700 if style.number_shade else 400),
                     fill=tone(0.85), anchor="mm")
            cells[number, "white"], cells[number, "black"] = (xa, a, xb, b), (xb, a, x1, b)
            pen.line((x0, round(b), x1, round(b)), fill=tone(style.line), width=2)
        for x in (xa, xb):
            pen.line((round(x), top, round(x), bottom), fill=tone(style.line), width=2)
    for x in (left, middle, right):
        pen.line((round(x), top, round(x), bottom), fill=tone(style.heavy), width=style.frame)
    for level in (top, top + pitch, bottom):
        pen.line((left, round(level), right, round(level)), fill=tone(style.heavy), width=style.frame)

    foot = bottom + round(0.024 * height)
    pen.text((left + 10 * unit, foot), "Result", font=type_(19, 700), fill=tone(0.8), anchor="ls")
    fields["Result"] = (left + 90 * unit, foot, left + 330 * unit)
    for i, text in enumerate(("1 – 0", "½ – ½", "0 – 1")):
        x = left + (480 + 190 * i) * unit
        pen.rectangle((x, foot - 18 * unit, x + 20 * unit, foot + 2 * unit), outline=tone(0.6), width=2)
        pen.text((x + 32 * unit, foot), text, font=type_(19), fill=tone(0.8), anchor="ls")
        fields[("1-0", "1/2-1/2", "0-1")[i]] = (x, foot, x + 20 * unit)
    sign = round(0.962 * height)
    for name, a in (("Signature White", left), ("Signature Black", round(middle + 0.02 * width))):
        pen.line((a, sign, a + 0.38 * width, sign), fill=tone(0.6), width=2)
        pen.text((a, sign + 22 * unit), name, font=type_(15), fill=tone(0.65), anchor="ls")
        fields[name] = (a + 60 * unit, sign - 6 * unit, a + 0.38 * width)
    return Form(np.asarray(image, np.float32) / 255, 2, style.rows, first_number, cells, fields)
