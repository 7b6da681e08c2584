"""Colours are roles, layers have one order, and files stay small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
CSS = sorted((ROOT / "static" / "css").glob("*.css"))
LAYERS = "@layer reset, tokens, base, parts, pages, utilities, states;"
NAMED = "black|white|red|green|blue|gray|grey|yellow|orange|purple|silver|navy|teal|maroon|olive|aqua|fuchsia|lime"
COLOUR = re.compile(
    rf"#[0-9a-f]{{3,8}}\b|\b(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch|color|light-dark)\(|:[^;{{]*\b(?:{NAMED})\b",
    re.IGNORECASE,
)
MOST_LINES = {
    "tokens": 200,
    "base": 250,
    "parts": 400,
    "forms": 300,
    "room": 400,
    "bank": 300,
    "cards": 300,
    "print": 80,
}


def rules(path: Path) -> str:
    """The file without comments, url() and selectors by id."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    declarations = re.findall(r"{([^{}]*)}", text)
    return "\n".join(declarations)


@pytest.mark.parametrize("path", CSS, ids=lambda path: path.name)
def test_styles_name_roles_not_colours(path: Path) -> None:
    found = COLOUR.findall(rules(path))

    assert found == [] or path.name == "tokens.css"


def test_colour_check_sees_what_it_forbids() -> None:
    assert all(COLOUR.search(bad) for bad in ("color: #fff;", "color: rgb(0 0 0);", "background: red;", "color:white"))
    assert not COLOUR.search("color: var(--ink); border: 1px solid currentColor; white-space: nowrap;")


def test_layer_order_is_declared_first() -> None:
    text = (ROOT / "static" / "css" / "tokens.css").read_text(encoding="utf-8")

    assert LAYERS in text
    assert text.index(LAYERS) < text.index("{")


@pytest.mark.parametrize("path", CSS, ids=lambda path: path.name)
def test_styles_stand_in_a_layer(path: Path) -> None:
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    depth, outside = 0, ""
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        outside += letter if depth == 0 else ""
    heads = [head.strip() for head in re.split(r"[;}]", outside) if head.strip()]

    assert [head for head in heads if not head.startswith("@layer")] == []


@pytest.mark.parametrize("path", CSS, ids=lambda path: path.name)
def test_styles_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES.get(path.stem, 300)


def test_roles_that_are_read_are_declared() -> None:
    declared = set(re.findall(r"(--[a-z0-9-]+)\s*:", "".join(path.read_text(encoding="utf-8") for path in CSS)))
    read = set(re.findall(r"var\((--[a-z0-9-]+)", "".join(path.read_text(encoding="utf-8") for path in CSS)))

    assert read - declared == set()
