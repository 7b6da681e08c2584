"""Reading the documentation's Markdown as far as its tests need: pages, fences, table rows, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Fence:
    """A fenced block: the words after the language, and the text. `line` is where it starts, from 1."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int


def pages() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def fences(text: str) -> Iterator[Fence]:
    for found in FENCE.finditer(text):
        language, *words = found.group(1).split() or [""]
        yield Fence(language, tuple(words), found.group(2), text.count("\n", 0, found.start()) + 1)


def prose(text: str) -> str:
    """The page without its fenced blocks."""
    return FENCE.sub("", text)


def section(text: str, heading: str) -> str:
    """What stands under a heading of level two, up to the next one."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"no section {heading!r}"
    return found.group(1)


def rows(text: str) -> Iterator[list[str]]:
    """The cells of every table row but the heads and their rules."""
    lines = text.splitlines()
    for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        if line.startswith("|") and not is_rule(line) and not (is_rule(after) and not before.startswith("|")):
            yield [cell.strip() for cell in line.strip().strip("|").split("|")]


def is_rule(line: str) -> bool:
    return line.startswith("|") and set(line) <= set("|-: ")


def codes(cell: str) -> list[str]:
    """The words in `backticks`."""
    return CODE.findall(cell)


def links(text: str) -> list[str]:
    return LINK.findall(prose(text))


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    found = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower().replace("`", "")).replace(" ", "-") for heading in found}
