"""Text -> lines for a Markdown parser: front matter and comments gone, fences known, `<details>` on its own line."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

from questionbank.exchange.outlines.texts import code_spans

TEXT: Final = 0
FENCE: Final = 1
"""Opens or closes code."""
CODE: Final = 2


class Line(NamedTuple):
    text: str
    number: int
    state: int = TEXT


_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^\n]*)")
_DETAILS = re.compile(r"</?(?:details|summary)(?:\s[^<>]{0,300})?>", re.IGNORECASE)
_REFERENCE = re.compile(r" {0,3}\[([^\[\]\n]{1,200})\]:[ \t]*(\S{1,2000})(?:[ \t]+[\"'(][^\n]{0,500})?[ \t]*")
_USE = re.compile(r"(?<!!)\[([^\[\]\n]{1,500})\]\[([^\[\]\n]{0,200})\]")


def lines_of(text: str) -> list[Line]:
    """Return the lines of a document, numbered as in the file."""
    raw = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    start = _after_front_matter(raw)
    marked = with_fences([Line(line, number) for number, line in enumerate(raw[start:], start + 1)])
    return _split_details(_with_references(_without_comments(marked)))


_NAMED = re.compile(r"[\w\"'.-]{1,60}\s*[:=](?:\s|$)")
_OF_NAMED = re.compile(r"\s|#|-\s|\[|[}\])]")


def _after_front_matter(lines: list[str]) -> int:
    """Return where the text begins: behind names and values between two lines of `---` or `+++`, if it begins so."""
    if not lines or lines[0].rstrip() not in ("---", "+++"):
        return 0
    ends = ("---", "...") if lines[0].startswith("-") else ("+++",)
    end = next((index for index, line in enumerate(lines[1:400], 1) if line.rstrip() in ends), 0)
    inner = [line for line in lines[1:end] if line.strip() and not line.startswith("#")]
    if not inner or not _NAMED.match(inner[0]):
        return 0
    return end + 1 if all(_NAMED.match(line) or _OF_NAMED.match(line) for line in inner) else 0


def with_fences(lines: list[Line]) -> list[Line]:
    """Mark the lines of fenced code. A fence that nothing closes is text: it would swallow the rest of the file."""
    closers: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
    for index, line in enumerate(lines):
        bare = line.text.strip()
        if bare[:3] in ("```", "~~~") and bare == bare[0] * len(bare):
            closers[bare[0]].append((index, len(bare)))
    marked: list[Line] = []
    index = 0
    while index < len(lines):
        text, number, _state = lines[index]
        match = _FENCE.match(text) if "```" in text or "~~~" in text else None
        end = None
        if match and not (match[1][0] == "`" and "`" in match[2]):
            end = _closer(closers[match[1][0]], index, len(match[1]))
        if end is None:
            marked.append(Line(text, number))
            index += 1
            continue
        marked.append(Line(text, number, FENCE))
        marked += [Line(one.text, one.number, CODE) for one in lines[index + 1 : end]]
        marked.append(Line(lines[end].text, lines[end].number, FENCE))
        index = end + 1
    return marked


def _closer(closers: list[tuple[int, int]], index: int, length: int) -> int | None:
    first = bisect_right(closers, (index, 1 << 60))
    return next((at for at, size in closers[first : first + 500] if size >= length), None)


def _without_comments(lines: list[Line]) -> list[Line]:
    last = max((index for index, line in enumerate(lines) if line.state == TEXT and "-->" in line.text), default=-1)
    kept: list[Line] = []
    inside = False
    for index, line in enumerate(lines):
        if line.state != TEXT or not (inside or "<!--" in line.text):
            if not inside:
                kept.append(line)
            continue
        text, inside = _cut_comments(line.text, inside, closes_later=last > index)
        if text.strip():
            kept.append(Line(text, line.number))
        elif not inside and not kept:
            continue
        elif text != line.text and line.text.strip() and kept and kept[-1].text.strip():
            continue  # a line that was nothing but comment doesn't end a paragraph
    return kept


def _cut_comments(text: str, inside: bool, *, closes_later: bool) -> tuple[str, bool]:
    """Return the text of a line outside comments, and whether a comment is open behind it."""
    spans = code_spans(text) if "`" in text else []
    parts: list[str] = []
    at = 0
    if inside:
        end = text.find("-->")
        if end < 0:
            return "", True
        at = end + 3
    while (start := text.find("<!--", at)) >= 0:
        span = next((one for one in spans if one[0] < start < one[1]), None)
        if span:
            parts.append(text[at : span[1]])
            at = span[1]
            continue
        end = text.find("-->", start + 4)
        if end < 0 and not closes_later:
            break
        parts.append(text[at:start])
        if end < 0:
            return "".join(parts), True
        at = end + 3
    return "".join([*parts, text[at:]]), False


def _with_references(lines: list[Line]) -> list[Line]:
    """Put the addresses of `[words][name]` where they are used; the lines that define them are no text."""
    known: dict[str, str] = {}
    kept: list[Line] = []
    for line in lines:
        match = _REFERENCE.fullmatch(line.text) if line.state == TEXT and "]:" in line.text else None
        if match and not match[1].startswith("^"):
            known.setdefault(match[1].casefold(), match[2].strip("<>"))
        else:
            kept.append(line)
    if not known:
        return kept

    def address(match: re.Match[str]) -> str:
        found = known.get((match[2] or match[1]).casefold())
        return f"[{match[1]}]({found})" if found else match[0]

    return [
        Line(_USE.sub(address, line.text), line.number) if line.state == TEXT and "][" in line.text else line
        for line in kept
    ]


def _split_details(lines: list[Line]) -> list[Line]:
    """Give each <details> and <summary> tag that has its partner a line of its own; drop those that have none."""
    split: list[Line] = []
    for line in lines:
        if line.state != TEXT or not (
            "<details" in (low := line.text.lower()) or "details>" in low or "summary" in low
        ):
            split.append(line)
            continue
        indent = line.text[: len(line.text) - len(line.text.lstrip())]
        spans = code_spans(line.text) if "`" in line.text else []
        at = 0
        for match in _DETAILS.finditer(line.text):
            if any(start < match.start() < end for start, end in spans):
                continue
            before = line.text[at : match.start()]
            split += [Line(before if at == 0 else indent + before.strip(), line.number)] if before.strip() else []
            split.append(Line(indent + re.sub(r"\s[^<>]*", "", match[0].lower()), line.number, TAG))
            at = match.end()
        rest = line.text[at:]
        if at == 0 or rest.strip():
            split.append(Line(rest if at == 0 else indent + rest.strip(), line.number))
    return _matched(split)


TAG: Final = 3


def _matched(lines: list[Line]) -> list[Line]:
    partners: set[int] = set()
    open_: dict[str, list[int]] = {"details": [], "summary": []}
    for index, line in enumerate(lines):
        if line.state != TAG:
            continue
        name = line.text.strip(" \t</>")
        if "</" not in line.text:
            open_[name].append(index)
        elif open_[name]:
            partners |= {open_[name].pop(), index}
    return [line for index, line in enumerate(lines) if line.state != TAG or index in partners]
