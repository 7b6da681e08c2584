"""Tables inside a document: rows of bars, and HTML tables."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Final

from questionbank.exchange.outlines.blocks import Table
from questionbank.exchange.outlines.lines import TEXT, Line

MOST_LINES: Final = 1000
"""Longer HTML tables are taken as text."""

_BAR = re.compile(r"(?<!\\)\|")


def pipe_table(lines: list[Line], at: int) -> tuple[Table, int] | None:
    """Return the table that begins in a line, and the line behind it; None where none begins."""
    if at + 1 >= len(lines) or lines[at + 1].state != TEXT or not _delimits(lines[at + 1].text):
        return None
    end = at + 2
    while end < len(lines) and lines[end].state == TEXT and "|" in lines[end].text:
        if end + 1 < len(lines) and end > at + 2 and _delimits(lines[end + 1].text) and lines[end + 1].state == TEXT:
            break
        end += 1
    body = [lines[at], *lines[at + 2 : end]]
    rows = [_cells(line.text) for line in body]
    text = "\n".join(line.text.strip() for line in lines[at:end])
    return Table(rows, [line.number for line in body], text, lines[at].number), end


def _delimits(text: str) -> bool:
    stripped = text.strip()
    return "|" in stripped and "-" in stripped and set(stripped) <= set("|:- \t")


def _cells(text: str) -> list[str]:
    stripped = text.strip()
    stripped = stripped.removeprefix("|")
    if stripped.endswith("|") and not stripped.endswith("\\|"):
        stripped = stripped[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(stripped)]


def html_table(lines: list[Line], at: int, ends: Sequence[int]) -> tuple[Table, int] | None:
    """Return an HTML table that begins in a line. `ends` are the places of all lines that close one."""
    if not lines[at].text.lstrip().lower().startswith("<table"):
        return None
    open_, start = 0, at
    for end in ends[bisect_left(ends, at) :][:20]:
        if end - at > MOST_LINES:
            return None
        between = "\n".join(line.text for line in lines[start : end + 1]).lower()
        open_, start = open_ + between.count("<table") - between.count("</table"), end + 1
        if open_ <= 0:
            text = "\n".join(line.text for line in lines[at : end + 1])
            reader = _Rows()
            reader.feed(text)
            reader.close()
            rows = [row for row in reader.rows if row]
            return Table(rows, [lines[at].number] * len(rows), text, lines[at].number), end + 1
    return None


class _Rows(HTMLParser):
    """Collects the cells of a table, the HTML inside them as it is."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.rows: list[list[str]] = []
        self.open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
            self.open = False
        elif tag in ("td", "th"):
            if not self.rows:
                self.rows.append([])
            self.rows[-1].append("")
            self.open = True
        else:
            self._add(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr"):
            self.open = False
        elif tag != "table":
            self._add(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._add(data)

    def handle_entityref(self, name: str) -> None:
        self._add(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._add(f"&#{name};")

    def _add(self, text: str) -> None:
        if self.open:
            self.rows[-1][-1] += text
        elif text.strip(" \n\t") and not text.startswith("<"):
            self.rows.append([text.strip()])  # a caption, or text between cells: a row of its own
