"""Makes datasets/samples: synthetic score sheets with their truth. See datasets/README.md.

    scripts/make-samples [--only FILE] [--output FOLDER]

Files written: the pictures, truth/<name>.txt (the game, one SAN a line), labels.tsv (what the hand wrote, cell by cell),
grids.json (corners of every move cell in pixels of the upright picture) and manifest.csv (which pictures make one game).
"""
import argparse
import csv
import json
import pathlib
import re
import tomllib

import cv2
import numpy as np
from PIL import Image

import capture
import form as forms
from hand import Hand

HERE = pathlib.Path(__file__).resolve().parent
OUTPUT = HERE.parent.parent / "datasets" / "samples"
PAGE = (1405, 1988)  # A4 at 170 dots an inch
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def load_games(path):
    """Name -> (tags, list of SAN) of every game in a PGN file without comments."""
    games = {}
    for text in re.split(r"\n(?=\[Event )", path.read_text()):
        tags = dict(re.findall(r'\[(\w+) "(.*?)"\]', text))
        moves = [t for t in re.sub(r"\[.*?\]\n", "", text).split() if not re.fullmatch(r"\d+\.+", t) and t not in RESULTS]
        games[tags.pop("Name")] = (tags, moves)
    return games


def spelled(san, hand):
    """A move as this hand usually writes it."""
    if hand["castling"] == "0-0":
        san = san.replace("O", "0")
    return san if hand["check"] or san.endswith("#") else san.rstrip("+")


def fill(rng, sheet, form, tags, moves, ink):
    """Writes a game on the form; returns the cells written: (number, colour, text)."""
    habits = sheet["hand"]
    pitch = next(iter(form.cells.values()))
    pitch = pitch[3] - pitch[1]
    hand = Hand(rng, habits["family"], habits["cap"] * pitch, habits["pen"], habits["slant"], unrest=habits.get("unrest", 1.0))
    small = Hand(rng, habits["family"], 0.46 * pitch, habits["pen"], habits["slant"])
    year, month, day = (tags["Date"].split(".") + ["??", "??"])[:3]
    date = year if "?" in month else f"{int(day)}.{int(month)}.{year}" if "?" not in day else f"{month}/{year}"
    header = {"Event": tags["Event"], "Date": date, "Round": tags["Round"].replace("-", ""), "Board": "1",
              "White": tags["White"], "Black": tags["Black"]}
    for name, text in header.items():
        left, baseline, right = form.fields[name]
        room = min(1.0, (right - left - 8) / max(1, small.width(text)))
        small.write(ink, text, left + rng.uniform(0, 8), baseline + rng.uniform(-2, 2), room)

    rows = []
    for (number, colour), (left, top, right, bottom) in sorted(form.cells.items(), key=lambda c: (c[0][0], c[0][1] == "black")):
        ply = 2 * (number - 1) + (colour == "black")
        if ply >= len(moves):
            continue
        key = f"{number}{colour[0]}"
        text = sheet.get("written", {}).get(key) or spelled(moves[ply], habits)
        wrong = sheet.get("struck", {}).get(key)
        scale = float(np.exp(rng.normal(0, 0.05)))
        baseline = bottom - 0.25 * pitch + rng.normal(0, 0.045) * pitch
        width = hand.width(text) * scale
        x = left + rng.uniform(0.10, 0.30) * (right - left)
        if wrong:
            x = left + 0.07 * (right - left)
            end = hand.write(ink, wrong, x, baseline, scale)
            hand.strike(ink, x, end - 2, baseline)
            x = end + 0.3 * pitch
            scale *= 0.92
        x = max(left + 4, min(x, right - width - 6))
        hand.write(ink, text, x, baseline, scale)
        rows.append((number, colour, text))

    last = (len(moves) + 1) // 2 in {n for n, _ in form.cells}
    if last and tags["Result"] != "*":
        left, baseline, _ = form.fields["Result"]
        hand.write(ink, tags["Result"], left + 14, baseline)
        left, baseline, right = form.fields[tags["Result"]]
        hand.line(ink, [(left + 2, baseline - 12), (left + 9, baseline - 2), (right + 6, baseline - 24)])
        for name in ("Signature White", "Signature Black"):
            left, baseline, _ = form.fields[name]
            hand.signature(ink, left + rng.uniform(0, 60), baseline, rng.uniform(140, 220))
    return rows


def make(sheet, photos, games):
    """One picture: (RGB image, rows of labels, grid)."""
    rng = np.random.default_rng(sheet["seed"])
    form = forms.draw(sheet["form"], *PAGE, sheet.get("first_number", 1), sheet.get("page", 1))
    ink = np.zeros(form.printing.shape, np.float32)
    rows = fill(rng, sheet, form, *games[sheet["game"]], ink) if "game" in sheet else []
    page = capture.compose(rng, form.printing, ink, sheet["pen"])
    if sheet["capture"] == "photo":
        p = photos[sheet["file"]]
        image, place = capture.photo(rng, page, p["size"], p["corners"], p["bulge"], p["shadow"], p["tint"], p["table"])
    else:
        image, place = capture.scan(rng, page, sheet.get("skew", 0.0))
    cells = []
    for (number, colour), (left, top, right, bottom) in sorted(form.cells.items(), key=lambda c: (c[0][0], c[0][1] == "black")):
        quad = place(np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64))
        cells.append({"number": number, "colour": colour, "quad": np.round(quad).astype(int).tolist()})
    grid = {"width": image.shape[1], "height": image.shape[0], "quarter_turns": sheet.get("quarter_turns", 0),
            "blocks": form.blocks, "rows": form.rows, "first_number": form.first_number, "cells": cells}
    return np.rot90(image, sheet.get("quarter_turns", 0)), rows, grid


def name_of(sheet, sheets):
    """Name of the sheet's game: the file's stem, or what the files of one game share."""
    stem = pathlib.Path(sheet["file"]).stem
    return re.sub(r"-[a-z0-9]$", "", stem) if sum(s.get("game") == sheet.get("game") for s in sheets) > 1 else stem


def main():
    parser = argparse.ArgumentParser(description="Makes the sample sheets.")
    parser.add_argument("--output", type=pathlib.Path, default=OUTPUT)
    parser.add_argument("--only", help="make this picture alone, and leave the tables as they are")
    options = parser.parse_args()
    table = tomllib.loads((HERE / "sheets.toml").read_text())
    games = load_games(HERE / "games.pgn")
    sheets = table["sheet"]
    (options.output / "truth").mkdir(parents=True, exist_ok=True)
    labels, grids, manifest = [], {}, []
    for sheet in sheets:
        if options.only not in (None, sheet["file"]):
            continue
        image, rows, grid = make(sheet, table["photo"], games)
        path = options.output / sheet["file"]
        Image.fromarray(np.ascontiguousarray(image)).save(path, quality=sheet.get("quality", 68), optimize=True, dpi=(170, 170))
        print(f"{path.name}: {image.shape[1]} x {image.shape[0]}, {len(rows)} cells, {path.stat().st_size // 1024} KiB")
        grids[sheet["file"]] = grid
        labels += [(path.stem, *row) for row in rows]
        if "game" in sheet:
            tags, moves = games[sheet["game"]]
            name = name_of(sheet, sheets)
            (options.output / "truth" / f"{name}.txt").write_text("\n".join(moves) + "\n")
            manifest.append([name, sheet["file"], sheet.get("copy", "A"), sheet.get("page", 1),
                             *(tags[t] for t in ("White", "Black", "Event", "Site", "Date", "Round", "Result"))])
    if options.only:
        return
    with open(options.output / "labels.tsv", "w", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["page", "move", "colour", "text"])
        writer.writerows(labels)
    with open(options.output / "manifest.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["game", "file", "copy", "page", "White", "Black", "Event", "Site", "Date", "Round", "Result"])
        writer.writerows(manifest)
    text = json.dumps(grids, separators=(",", ":"))
    (options.output / "grids.json").write_text(re.sub(r'(\{"number"|"[a-z0-9-]+\.jpg")', r"\n\1", text) + "\n")


if __name__ == "__main__":
    cv2.setNumThreads(1)  # the same bits on every machine
    main()
