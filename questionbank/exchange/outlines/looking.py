"""Looking at blocks before they are placed: what asks, what holds questions, what is a table of contents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from questionbank.exchange.outlines.asking import QUESTION, asks, is_empty_cell, label_of
from questionbank.exchange.outlines.blocks import Block, Details, Heading, Item, Items, Para, Quote, Table
from questionbank.exchange.outlines.cleaning import clean_answer, clean_topic, is_bold_question
from questionbank.exchange.outlines.rows import names_question
from questionbank.exchange.outlines.texts import (
    IMAGE,
    LINK,
    has_letter,
    in_file,
    is_back_link,
    is_link_elsewhere,
    links_of,
    plain_html,
    without_box,
    words_only,
)

if TYPE_CHECKING:
    from questionbank.exchange.outlines.builder import Builder

_OPTION = re.compile(r"[\s*_(（]{0,6}B\d{0,2}\s?[:：.)、）]")


def is_link_item(item: Item, file: str = "") -> bool:
    """True for an item that is only a link elsewhere, even when its text asks."""
    return bool(item.link) or is_link_elsewhere(plain_html(without_box(item.text)), file)


def item_asks(item: Item, file: str = "") -> bool:
    if item.comment or is_link_item(item, file):
        return False
    label = label_of(item.text)
    if label and label.kind == QUESTION:
        return bool(label.text)
    return asks(item.text)


def option_above(items: Sequence[Item]) -> bool:
    """True when the items are options, A above B: their letters are no labels."""
    return any(_OPTION.match(item.text) for item in items)


def holds_question(blocks: Sequence[Block], file: str = "") -> bool:
    """True when a question stands in one of the blocks, at any depth."""
    return any(block_holds_question(block, file) for block in blocks)


def block_holds_question(block: Block, file: str = "") -> bool:
    if isinstance(block, Items):
        return not _all_lead_inside(block, file) and any(
            not item.comment and (item_asks(item, file) or holds_question(item.blocks, file)) for item in block.items
        )
    if isinstance(block, Para):
        label = label_of(block.text)
        return bool(label and label.kind == QUESTION) or is_bold_question(block.text)
    if isinstance(block, Details):
        return asks(clean_answer(block.summary)) or holds_question(block.blocks, file)
    if isinstance(block, Heading):
        label = label_of(block.text)
        return bool(label and label.kind == QUESTION) or asks(block.text)
    if isinstance(block, Quote):
        return holds_question(block.blocks, file)
    return (
        isinstance(block, Table)
        and len(block.rows) > 1
        and names_question(block.rows[0])
        and not table_is_contents(block, file)
    )


# --- contents


def _leads_inside(text: str, file: str) -> bool:
    """True for a row with a link into the file and no question beside the link."""
    plain = plain_html(text)
    links = links_of(plain)
    if not links or not all(in_file(address, file) for _words, address in links):
        return False
    return not asks(LINK.sub("", IMAGE.sub("", plain)))


def _rows_of(block: Items) -> list[Item]:
    rows: list[Item] = []
    stack = [block]
    while stack:
        for item in stack.pop().items:
            rows.append(item)
            stack += [inner for inner in item.blocks if isinstance(inner, Items)]
    return rows


def _all_lead_inside(block: Items, file: str) -> bool:
    first = block.items[0]
    if first.lines and "](" not in first.text and "<a" not in first.text and not first.blocks:
        return False
    return all(_leads_inside(item.text, file) for item in _rows_of(block))


def items_are_contents(block: Items, builder: Builder) -> bool:
    """True for a list whose every row leads into the file; rows without a link may repeat headings of the document."""
    rows = _rows_of(block)
    linked = [_leads_inside(item.text, builder.file) for item in rows]
    if not any(linked):
        return builder.in_contents and builder.known_names(block)
    if any(inner for item in rows for inner in item.blocks if not isinstance(inner, Items)):
        return False
    return all(
        leads or not has_letter(item.text) or clean_topic(words_only(item.text)).casefold() in builder.names
        for leads, item in zip(linked, rows, strict=True)
    )


def table_is_contents(table: Table, file: str = "") -> bool:
    """True for a table whose every row leads into the file; the first may be a header."""
    rows = [[plain_html(cell) for cell in row] for row in table.rows]
    body = rows if _row_leads(rows[0], file) else rows[1:] if rows else []
    return (
        bool(body)
        and all(_row_leads(row, file) or _is_group(row) for row in body)
        and any(_row_leads(row, file) for row in body)
    )


def _row_leads(row: list[str], file: str) -> bool:
    text = " ".join(row)
    links = links_of(text)
    return bool(links) and all(in_file(address, file) for _words, address in links) and not asks(LINK.sub("", text))


def _is_group(row: list[str]) -> bool:
    """True for a row of a table of contents that names a part, or leads back."""
    filled = [cell for cell in row if cell and not is_empty_cell(cell)]
    return not filled or (len(filled) == 1 and (filled[0].startswith("**") or is_back_link(filled[0])))
