"""Values -> pieces of YAML that fit in at a column of a text that is there already."""

from __future__ import annotations

from typing import Any

from ruamel.yaml.comments import CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from questionbank.exchange.write import dump


def entry(name: Any, value: Any, column: int) -> str:
    """Return the lines of `name: value`, the name at `column`."""
    return _indented(dump({name: value}), column)


def item(value: Any, column: int) -> str:
    """Return the lines of a list with this one value, or of a list, hyphens at `column`."""
    # `dump` puts a list two spaces in.
    text = dump(list(value) if isinstance(value, list) else [value])
    return _indented("".join(line[2:] if line.strip() else line for line in text.splitlines(keepends=True)), column)


def block(value: Any, column: int) -> str:
    """Return a value as it stands behind `name: `, the name at `column`; a mapping as its lines, the first one bare."""
    if isinstance(value, dict):
        return _indented(dump(value), column).strip()
    return _indented(dump({"_": value}), column).strip().removeprefix("_:").strip()


def flow(value: Any) -> str:
    """Return a value on one line, as it may stand between brackets."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{flow(name)}: {flow(inner)}' for name, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    one = CommentedSeq([DoubleQuotedScalarString(value) if isinstance(value, str) and "\n" in value else value])
    one.fa.set_flow_style()
    return dump(one).strip()[1:-1]


def _indented(text: str, column: int) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(" " * column + line if line.strip() else line for line in lines)
