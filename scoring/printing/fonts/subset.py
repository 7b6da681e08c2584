"""`python -m scoring.printing.fonts.subset NotoSansCJK-Regular.ttc`: cut our face out of Noto Sans CJK again.

It keeps the two-byte repertoire of GB 18030 (every hanzi of GB 2312's two levels, and of GBK: rare names and
traditional forms too) and what the face has besides Chinese, Japanese and Korean: Latin, Greek, Cyrillic, signs. Takes
two minutes. Source, version and licence stand in README.md beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont

SOURCE = "Noto Sans CJK SC"
FAMILY = "Sounding Sans SC"  # a name of its own: fontconfig must never take an installed Noto for it, or it for Noto
FACE = Path(__file__).with_name("SoundingSansSC-Regular.otf")
# Hangul, hanzi beyond GBK, compatibility forms and emoji; what is Chinese comes back by its repertoire.
LEFT_OUT = (
    *(range(0x1100, 0x1200), range(0x3130, 0x3190), range(0x3200, 0x3400), range(0x3400, 0xA000)),
    *(range(0xA960, 0xA980), range(0xAC00, 0xD800), range(0xF900, 0xFB00), range(0x1F000, 0x110000)),
)
FEATURES = ["ccmp", "calt", "kern", "liga", "mark", "mkmk"]
FULL_NAMES = {1: FAMILY, 4: FAMILY, 6: "SoundingSansSC-Regular"}
KEPT_NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14]  # 0, 13 and 14: copyright, licence and where it is


def main(argv: Sequence[str]) -> int:
    if len(argv) != 1:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    font = cut(Path(argv[0]))
    font.save(FACE)
    sys.stdout.write(f"{FACE}: {len(font.getGlyphOrder())} glyphs, {FACE.stat().st_size} bytes\n")
    return 0


def cut(source: Path) -> TTFont:
    """Open the collection at `source` and return its Simplified Chinese face, cut down and renamed."""
    with TTCollection(source, lazy=True) as faces:
        number = [face["name"].getDebugName(4) for face in faces].index(SOURCE)
    font = TTFont(source, fontNumber=number, recalcTimestamp=False)
    options = subset.Options(
        hinting=False,
        layout_features=FEATURES,
        name_IDs=KEPT_NAMES,
        notdef_outline=True,
    )
    options.drop_tables += ["BASE", "VORG", "vhea", "vmtx"]  # nothing is set vertically
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted(set(font.getBestCmap())))
    cutter.subset(font)
    for record in font["name"].names:
        record.string = FULL_NAMES.get(record.nameID, record.toUnicode())
    font["CFF "].cff.fontNames = [FULL_NAMES[6]]
    return font


def wanted(known: set[int]) -> set[int]:
    """Return the code points to keep of those the face knows."""
    other = {point for point in known if not any(point in block for block in LEFT_OUT)}
    return other | {point for point in range(0x80, 0x10000) if _in_gbk(point)}


def _in_gbk(point: int) -> bool:
    try:
        return bool(chr(point).encode("gbk"))
    except UnicodeEncodeError:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
