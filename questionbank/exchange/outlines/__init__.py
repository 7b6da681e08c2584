"""Readers of the outlines that people have: Markdown, numbered text, tables, workbooks, OPML, maps and JSON.

    draft = read_outline(data, "bank.md")          # by its ending, or format="opml"; never raises
    draft.trees, draft.topics                      # DraftTree(topic, root), questions with answers and follow-ups
    draft.unplaced                                 # texts that found no place, each with its line and the reason
    draft.unread                                   # names of columns and fields that nothing reads
    draft.problems                                 # why nothing could be read; everything else is empty then
    draft.warnings                                 # odd rows: an unknown parent, a circle, an id given twice

    trees = trees_of(draft)                        # OutlineTree values with keys made from their words, ready to import
    trees.trees, trees.left_out                    # left_out: what is too deep, long or many for the bank

    preview = preview_table(data, "bank.csv")      # sheets with header, sample rows and a guessed role for each column
    read_outline(data, "bank.csv", mapping={"Frage": "question", "Antwort": "answer"})

All of it is pure: bytes in, values out, no Django models. From the bottom up: `texts`, `numbering`, `asking` and
`cleaning` (words); `blocks`, `lines`, `tables`, `parser` (documents); `columns`, `rows` (tables); `looking`, `lists`,
`flow`, `document`, `nodes` (the rules); `builder`, `draft` (results), `reasons` (why, in words); one module a format;
`reading` and `trees` on top. docs/importing.md has the rules in words.
"""

from __future__ import annotations

from questionbank.exchange.outlines.draft import DraftTree, OutlineDraft, Question, Unplaced, Why
from questionbank.exchange.outlines.reading import ENDINGS, FORMATS, SheetPreview, preview_table, read_outline
from questionbank.exchange.outlines.trees import DraftTrees, trees_of

__all__ = [
    "ENDINGS",
    "FORMATS",
    "DraftTree",
    "DraftTrees",
    "OutlineDraft",
    "Question",
    "SheetPreview",
    "Unplaced",
    "Why",
    "preview_table",
    "read_outline",
    "trees_of",
]
