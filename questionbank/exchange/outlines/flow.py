"""Blocks -> trees, answers and what found no place: rules 2 to 6 and 11, for documents, outlines and maps alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from questionbank.exchange.outlines.asking import (
    ANSWER,
    FOLLOW_UP,
    QUESTION,
    Label,
    asks,
    is_answer,
    is_contents,
    label_of,
    summary_label,
)
from questionbank.exchange.outlines.blocks import (
    Block,
    Code,
    Details,
    Heading,
    Items,
    ListKind,
    Para,
    Quote,
    Table,
    written,
)
from questionbank.exchange.outlines.builder import Asked, Builder
from questionbank.exchange.outlines.cleaning import clean_answer, clean_topic, is_bold_question, split_prompt
from questionbank.exchange.outlines.draft import Topic, Why
from questionbank.exchange.outlines.lists import Placing
from questionbank.exchange.outlines.looking import (
    holds_question,
    item_asks,
    items_are_contents,
    table_is_contents,
)
from questionbank.exchange.outlines.rows import Sheet, names_question, place_rows
from questionbank.exchange.outlines.texts import (
    has_letter,
    is_back_link,
    is_link_elsewhere,
    only_pictures,
    plain_html,
    without_marks,
)


@dataclass(slots=True)
class Flow:
    """Takes blocks one after another. A question's own item or <details> is a flow of its own.

    `question` is the one that all of it stands under, `current` the one that text answers, `base` the one that
    follow-ups by label belong to. `expect` says what the next block is after a label that stood alone.
    """

    builder: Builder
    topic: Topic = ()
    question: Asked | None = None
    current: Asked | None = None
    base: Asked | None = None
    expect: str = ""
    follow_ups: bool = False
    """A heading *Follow-up* stands above."""
    answering: bool = False
    last: Asked | None = None
    """The last root of a list above: what a label behind the list belongs to."""
    soft: Items | None = None
    """The list of one item whose question the text behind the list answers."""
    short: set[int] = field(default_factory=set)

    def run(self, blocks: Sequence[Block]) -> None:
        self.short |= short_details(blocks)
        for index, block in enumerate(blocks):
            self.block(block, blocks[index + 1] if index + 1 < len(blocks) else None)

    def block(self, block: Block, after: Block | None = None) -> None:
        if isinstance(block, Para):
            self.paragraph(block, after)
        elif isinstance(block, Items):
            self.items(block)
        elif isinstance(block, Code):
            self.code(block)
        elif isinstance(block, Quote):
            self.quote(block)
        elif isinstance(block, Table):
            self.table(block)
        elif isinstance(block, Details):
            self.details(block)
        else:
            self.heading(block)

    # --- text

    def paragraph(self, para: Para, after: Block | None = None) -> None:
        if self.expect and not has_letter(plain_html(para.text)):
            return
        label = self.label(para.text)
        if label:
            self.labelled(label, para.text, para.line, after)
        elif self.expect == QUESTION:
            self.ask_marked(para.lines, para.line, after)
        elif self.expect == FOLLOW_UP and self.base:
            self.follow(para.lines, para.line)
        else:
            self.text(para)

    def label(self, text: str) -> Label | None:
        label = label_of(text)
        if label and label.letter and label.kind == ANSWER and not (self.current and self.current.marked):
            return None
        return label

    def text(self, para: Para) -> None:
        text = para.text
        if is_back_link(plain_html(text)):
            return
        if self.question is None and is_bold_question(text):
            self.take(self.builder.ask(para.lines[0], para.line, self.topic, None, loose=True))
            if para.lines[1:]:
                self.paragraph(Para(para.lines[1:], para.line))
        elif self.current is None:
            self.last = None
            self.builder.remark(text, para.line)
        elif not self.current.loose and is_link_elsewhere(plain_html(text), self.builder.file):
            self.builder.unplace(text, para.line, Why.LINK)
        else:
            self.add(text, para.line)

    def add(self, text: str, line: int) -> None:
        if self.current is None:
            self.builder.remark(text, line)
        elif is_answer(plain_html(text)) or only_pictures(text):
            self.current.add(text)

    def code(self, code: Code) -> None:
        if is_back_link(code.text):
            return
        if self.current:
            self.current.add(code.text, prose=False, raw=True)
        elif self.last:
            self.last.add(code.text, prose=False, raw=True)
        elif has_letter(code.text):
            self.builder.unplace(code.text, code.line)

    def quote(self, quote: Quote) -> None:
        first = quote.blocks[0] if quote.blocks else None
        if self.current is None or (isinstance(first, Para) and self.label(first.text)):
            self.run(quote.blocks)
        else:
            self.add(quote.text, quote.line)

    # --- labels

    def labelled(self, label: Label, text: str, line: int, after: Block | None = None) -> None:
        self.expect = ""
        if self.current is None and self.last and label.kind != QUESTION:
            self.take(self.last)
        if label.kind == QUESTION:
            if label.text:
                self.ask_marked(label.text.split("\n"), line, after)
            else:
                self.expect = QUESTION
        elif label.kind == FOLLOW_UP:
            if self.base is None:
                self.builder.unplace(text, line, Why.NO_QUESTION)
            elif label.text:
                self.follow(label.text.split("\n"), line)
            else:
                self.expect = FOLLOW_UP
        elif self.current is None:
            self.builder.unplace(text, line, Why.NO_QUESTION)
        else:
            self.current.answer_begins(longer=label.longer or not label.plain)
            if label.text:
                self.add(label.text, line)
            else:
                self.expect = ANSWER

    def ask_marked(self, lines: list[str], line: int, after: Block | None) -> None:
        """Begin the question that a label marks. All lines are its prompt when its answer is marked as well."""
        self.expect = ""
        marked = isinstance(after, Para) and (label := self.label_after(after)) is not None and label.kind == ANSWER
        prompt, rest = ("\n".join(lines), []) if marked else split_prompt(lines)
        parent = self.base if self.follow_ups and self.base else self.question
        asked = self.builder.ask(prompt, line, self.topic, parent)
        asked.marked = True
        if self.follow_ups and self.base:
            self.current, self.answering = asked, False
        else:
            self.take(asked)
        if rest:
            self.add("\n".join(rest), line)

    @staticmethod
    def label_after(para: Para) -> Label | None:
        return label_of(para.text)

    def take(self, asked: Asked) -> None:
        self.current = self.base = asked
        self.answering = False
        self.soft = None

    def follow(self, lines: list[str], line: int) -> None:
        """Hang follow-ups on the question they belong to: one, or one a line where every line asks."""
        self.expect = ""
        base = self.base
        if base is None:
            return
        self.answering = False
        if len(lines) > 1 and all(asks(one) for one in lines):
            for one in lines:
                self.current = self.builder.ask(one, line, self.topic, base)
            return
        prompt, rest = split_prompt(lines)
        self.current = self.builder.ask(prompt, line, self.topic, base)
        self.current.marked = True
        if rest:
            self.add("\n".join(rest), line)

    # --- headings inside an item or <details>; those of the document: questionbank.exchange.outlines.document

    def heading(self, heading: Heading) -> None:
        label = heading_label(heading.text)
        if label and (label.kind != QUESTION or not label.text):
            self.labelled(label, heading.text, heading.line)
        elif self.current is None:
            if asks(heading.text):
                self.take(self.builder.ask(heading.text, heading.line, self.topic, None, loose=True))
            elif has_letter(heading.text):
                self.builder.unplace(clean_topic(heading.text), heading.line, Why.HEADING)
        elif asks(heading.text) and not self.current.loose and self.question:
            self.current = self.builder.ask(heading.text, heading.line, self.topic, self.question, loose=True)
        elif not is_contents(heading.text):
            self.current.add(written(heading), prose=False)

    def within(self, asked: Asked | None, *, expect: str = "", answering: bool = False) -> Flow:
        """Return the flow of what stands inside a question of its own."""
        return Flow(self.builder, self.topic, asked, asked, asked, expect, answering=answering)

    # --- details

    def details(self, details: Details) -> None:
        summary = clean_answer(details.summary)
        label = summary_label(summary) or label_of(summary)
        if label and label.kind == ANSWER and not (label.text and asks(label.text) and self.current is None):
            self.unfolded(details, label, summary)
        elif label and label.text and label.kind == FOLLOW_UP and self.base:
            self.ask_details(details, label.text, self.base)
        elif is_contents(summary):
            self.contents(details.blocks)
        elif asks(summary) or (label and label.text) or (self.current is None and self.is_short(details)):
            self.ask_details(details, label.text if label and label.text else summary, self.question)
        elif self.current:
            self.add(summary, details.line)
            Flow(self.builder, self.topic, self.question, self.current, self.base, answering=True).run(details.blocks)
        elif holds_question(details.blocks, self.builder.file):
            self.inner_topic(clean_topic(summary), details.line, details.blocks)
        else:
            self.builder.remark(summary, details.line)
            self.run(details.blocks)

    def inner_topic(self, name: str, line: int, blocks: Sequence[Block]) -> None:
        """Place blocks under a topic of their own; one that turns out to have no tree is unplaced."""
        trees = self.builder.trees
        Flow(self.builder, (*self.topic, name) if name else self.topic).run(blocks)
        if trees == self.builder.trees:
            self.builder.unplace(name, line, Why.HEADING)

    def is_short(self, details: Details) -> bool:
        """True for <details> in short form that don't group others."""
        return details.line in self.short and not any(
            isinstance(one, Details) and asks(clean_answer(one.summary)) for one in details.blocks
        )

    def ask_details(self, details: Details, prompt: str, parent: Asked | None) -> None:
        asked = self.builder.ask(prompt, details.line, self.topic, parent, loose=True)
        self.within(asked).run(details.blocks)
        if parent is None:
            self.current = self.base = self.soft = None

    def unfolded(self, details: Details, label: Label, summary: str) -> None:
        """Take what a summary such as *Answer* unfolds: the answer of the question above it."""
        if self.current:
            self.current.answer_begins(longer=label.longer)
            inside = Flow(self.builder, self.topic, self.question, self.current, self.base, answering=True)
            if label.text:
                inside.add(label.text, details.line)
            inside.run(details.blocks)
        else:
            if label.text or not holds_question(details.blocks, self.builder.file):
                self.builder.remark(summary, details.line, Why.NO_QUESTION)
            self.run(details.blocks)

    def contents(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            linked = isinstance(block, Items) and self.builder.known_names(block)
            if not linked and not (isinstance(block, Heading) and is_contents(block.text)):
                self.block(block)

    # --- tables

    def table(self, table: Table) -> None:
        if self.question is None and (table_is_contents(table, self.builder.file)):
            return
        if any(names_question(row) for row in table.rows[:1]) and not self.answering:
            sheet = Sheet(table.rows, table.lines)
            place_rows(self.builder, sheet, self.topic, parent=self.question, in_text=True)
        elif self.current:
            self.current.add(table.text, prose=False)
        else:
            for row, line in zip(table.rows, table.lines, strict=True):
                self.builder.unplace_row([plain_html(cell) for cell in row], line, Why.NO_COLUMN)

    # --- lists

    def items(self, block: Items) -> None:
        expected, self.expect = self.expect, ""
        if self.soft and block.ordered == self.soft.ordered:
            self.current = self.base = self.soft = None
        if self.current is None and items_are_contents(block, self.builder):
            return
        if expected == FOLLOW_UP and self.base:
            self.place(block, self.base, every=True)
            return
        current = self.current
        if current and (self.answering or expected == ANSWER):
            current.add(written(block), prose=False)
        elif current is None:
            asked = self.last = self.place(block, None)
            if len(block.items) == 1 and asked and block.kind is ListKind.LIST:
                self.take(asked)
                self.soft = block
        elif not current.loose:
            self.place(block, current)
        elif any((label := label_of(one.text)) and label.kind != ANSWER for one in block.items):
            self.place(block, self.base or current)
        elif all(item_asks(one) for one in block.items):
            self.place(block, current)
        else:
            current.add(written(block), prose=False)

    def place(self, block: Items, parent: Asked | None, *, every: bool = False) -> Asked | None:
        """Place the items of one list; return the last root that came of it. `every` makes each of them a question."""
        placing = Placing(self, block, parent, every=every)
        for item in block.items:
            placing.item(item)
        placing.finish()
        return placing.root


def heading_label(text: str) -> Label | None:
    """Return the label that a heading is. *Key points* is none: it may head a part of an answer. Nor is *Questions*."""
    label = label_of(without_marks(plain_html(text)))
    if label and label.kind == QUESTION and not label.text and text.strip(" :：*_").lower().endswith("questions"):
        return None
    return label if label and (label.kind != ANSWER or label.plain) else None


def short_details(blocks: Sequence[Block]) -> set[int]:
    """Return the lines of <details> in short form: beside one that asks, under the same heading."""
    found: set[int] = set()
    group: list[Details] = []
    for block in [*blocks, Heading(1, "", 0)]:
        if isinstance(block, Details):
            group.append(block)
        elif isinstance(block, Heading):
            if any(asks(clean_answer(one.summary)) for one in group):
                found |= {one.line for one in group if re.search(r"\w", one.summary) and not is_contents(one.summary)}
            group = []
    return found
