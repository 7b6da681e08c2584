"""Markdown and plain numbered text -> draft."""

from __future__ import annotations

from questionbank.exchange.outlines.builder import Builder
from questionbank.exchange.outlines.decoding import decode
from questionbank.exchange.outlines.document import place_document
from questionbank.exchange.outlines.draft import OutlineDraft
from questionbank.exchange.outlines.parser import parse


def read_markdown(data: bytes, file: str) -> OutlineDraft:
    """Read a Markdown outline. Raises Unreadable."""
    builder = Builder(file, "markdown")
    place_document(builder, parse(decode(data)))
    return builder.finish()


def read_plain(data: bytes, file: str) -> OutlineDraft:
    """Read plain numbered lines: numbers nest by their kind, indentation is ignored. Raises Unreadable."""
    builder = Builder(file, "plain")
    place_document(builder, parse(decode(data), plain=True))
    return builder.finish()
