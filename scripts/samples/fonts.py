"""Fonts of the samples: fetched once as npm packages into a cache outside the repository.

All are under the SIL Open Font License 1.1, which allows pictures set in them to be used freely; the font files are never
committed. Versions are pinned, so that the pictures can be rebuilt.
"""
import os
import pathlib
import subprocess
import tarfile

from PIL import ImageFont

# Family -> version of the npm package @fontsource/<family>.
HANDS = {
    "architects-daughter": "5.3.0",
    "caveat": "5.3.0",
    "handlee": "5.3.0",
    "indie-flower": "5.3.0",
    "kalam": "5.3.0",
    "nothing-you-could-do": "5.3.0",
    "reenie-beanie": "5.3.0",
    "shadows-into-light": "5.3.0",
}
PRINT = {"lato": "5.3.0", "pt-serif": "5.3.0"}


def cache_folder():
    """`SCORESHEET_FONTS`, else a folder of the user's cache."""
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "scoresheet-fonts"
    return pathlib.Path(os.environ.get("SCORESHEET_FONTS", default))


def font_file(family, weight=400):
    """Path of the Latin WOFF file of a family; fetches its package when the cache does not hold it."""
    version = {**HANDS, **PRINT}[family]
    folder = cache_folder()
    target = folder / f"{family}-{version}-{weight}.woff"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"fontsource-{family}-{version}.tgz"
    if not archive.exists():
        subprocess.run(["npm", "pack", "--silent", f"@fontsource/{family}@{version}", "--pack-destination", str(folder)],
                       check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(archive) as tar:
        member = tar.extractfile(f"package/files/{family}-latin-{weight}-normal.woff")
        target.write_bytes(member.read())
    return target


def load(family, size, weight=400):
    """The font at a size in pixels."""
    return ImageFont.truetype(str(font_file(family, weight)), size)
