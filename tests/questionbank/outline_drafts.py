"""Drafts as short texts, so that a test shows at a glance what a file gave."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl import Workbook

from questionbank.exchange.outlines import OutlineDraft, read_outline


def drawn(draft: OutlineDraft) -> str:
    """Draw a draft: `[topic]`, questions indented by level, ` = ` before an answer, `- ` before what has no place."""
    lines: list[str] = []
    for tree in draft.trees:
        lines.append(f"[{' > '.join(tree.topic)}]")
        for level, question in tree.probes():
            answer = "" if question.answer is None else f" = {question.answer}"
            lines.append("  " * level + f"{question.prompt}{answer}".replace("\n", "⏎"))
    lines += ["- " + one.text.replace("\n", "⏎") for one in draft.unplaced]
    return "\n".join(lines)


def read(source: str | bytes, file: str = "bank.md", **options: Any) -> OutlineDraft:
    return read_outline(source.encode() if isinstance(source, str) else source, file, **options)


def expect(source: str | bytes, expected: str, file: str = "bank.md", **options: Any) -> OutlineDraft:
    """Read a source and compare what it gave with a drawing; return the draft."""
    draft = read(source, file, **options)
    assert [problem.code for problem in draft.problems] == []
    assert drawn(draft) == expected.strip("\n")
    return draft


def folded(value: Any) -> Any:
    """Turn every run of white space into one space, in texts at any depth."""
    if isinstance(value, str):
        return re.sub(r"\s+", " ", value).strip()
    if isinstance(value, dict):
        return {key: folded(one) for key, one in value.items()}
    return [folded(one) for one in value] if isinstance(value, list) else value


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def workbook(sheets: Mapping[str, Sequence[Sequence[Any]]], merged: Mapping[str, Sequence[str]] | None = None) -> bytes:
    """Return an .xlsx with these rows; `merged` names ranges such as A2:A3 for each sheet."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
        for cells in (merged or {}).get(title, ()):
            sheet.merge_cells(cells)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def xmind(*roots: Mapping[str, Any]) -> bytes:
    """Return an .xmind with one sheet for each central topic."""
    sheets = [{"id": str(number), "title": f"Map {number}", "rootTopic": root} for number, root in enumerate(roots)]
    return zipped({"content.json": json.dumps(sheets)})


def topic(title: str, *attached: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a topic of XMind; `callout`, `summary` and `detached` are lists of topics, the rest goes in as it is."""
    children = {kind: fields.pop(kind) for kind in ("callout", "summary", "detached") if kind in fields}
    if attached:
        children["attached"] = list(attached)
    return {"title": title, **({"children": children} if children else {}), **fields}
