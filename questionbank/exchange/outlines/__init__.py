"""Readers of what people have."""

from __future__ import annotations

from questionbank.exchange.outlines.markdown import read_markdown, read_plain
from questionbank.exchange.outlines.table import read_table


def read_outline(data, file):
    if file.endswith(".md"): return read_markdown(data, file)
    if file.endswith(".csv"): return read_table(data, file)
    from questionbank.exchange.outlines.draft import OutlineDraft
    return OutlineDraft(file, "")
