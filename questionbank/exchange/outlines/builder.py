"""Where readers put what they find: trees in reading order, and texts without a place in the order of the file."""

from __future__ import annotations

from dataclasses import dataclass, field

from questionbank.exchange.outlines.asking import is_empty_cell, is_licence_line, is_placeholder
from questionbank.exchange.outlines.blocks import Block, Code, Details, Heading, Item, Items, Quote, Table
from questionbank.exchange.outlines.cleaning import answer_of, clean_answer, clean_prompt, clean_topic
from questionbank.exchange.outlines.draft import DraftTree, OutlineDraft, Question, Topic, Unplaced, Why
from questionbank.exchange.outlines.texts import (
    has_letter,
    is_back_link,
    only_pictures,
    plain_html,
    without_box,
    words_only,
)
from questionbank.exchange.problems import Problem


@dataclass(slots=True)
class Part:
    """A piece of an answer. `prose` tells words from code, lists and tables; `raw` ones are kept to the letter."""

    text: str
    prose: bool
    raw: bool = False


@dataclass(slots=True)
class Asked:
    """A question while its file is being read.

    `loose` ones stand in a heading or a summary: all below them is their answer. `marked` ones began with *Q*.
    """

    prompt: str
    line: int
    loose: bool = False
    marked: bool = False
    answered: bool = False
    parts: list[Part] = field(default_factory=list)
    follow_ups: list[Asked] = field(default_factory=list)

    def add(self, text: str, *, prose: bool = True, raw: bool = False) -> None:
        self.parts.append(Part(text, prose, raw))

    def answer_begins(self, *, longer: bool = False) -> None:
        """A label says that the answer begins: what stood before it belongs to the prompt.

        Except before a *longer* answer, and under a question that is neither a heading nor marked: text there answers.
        """
        answered, self.answered = self.answered, True
        if answered or not self.parts:
            return
        if not any(part.prose for part in self.parts) or ((self.loose or self.marked) and not longer):
            self.prompt = "\n\n".join([self.prompt, *(part.text for part in self.parts)])
            self.parts = []

    def question(self) -> Question:
        """Return the finished question with all below it."""
        made = self._alone()
        stack = [(self, made)]
        while stack:
            asked, question = stack.pop()
            for one in asked.follow_ups:
                below = one._alone()
                question.follow_ups.append(below)
                stack.append((one, below))
        return made

    def _alone(self) -> Question:
        return Question(
            self.prompt,
            self.line,
            answer_of([part.text if part.raw else clean_answer(part.text) for part in self.parts]),
        )


class Builder:
    """Collects what one file gives. `part` counts sheets, so that lines of different sheets keep their order."""

    def __init__(self, file: str, form: str) -> None:
        self.file = file
        self.draft = OutlineDraft(file, form)
        self.names: frozenset[str] = frozenset()
        """Headings of the document, in small letters: what a table of contents repeats."""
        self.in_contents = False
        self.part = 0
        self.where = ""
        self._roots: list[tuple[Topic, Asked]] = []
        self._unplaced: list[tuple[int, int, int, Unplaced]] = []

    def ask(self, prompt: str, line: int, topic: Topic, parent: Asked | None, *, loose: bool = False) -> Asked:
        """Add a question: below its parent, or as the root of a tree."""
        asked = Asked(clean_prompt(prompt), line, loose)
        if parent is None:
            self._roots.append((topic, asked))
        else:
            parent.follow_ups.append(asked)
        return asked

    @property
    def trees(self) -> int:
        return len(self._roots)

    def can_ask(self, item: Item) -> bool:
        """True for an item that may be a question in short form."""
        text = clean_prompt(item.text)
        return has_letter(text) and not is_placeholder(text) and not only_pictures(text) and not is_back_link(text)

    def known_names(self, block: Items) -> bool:
        """True when all items repeat headings of the document, or lead to them."""
        return all(
            clean_topic(words_only(item.text)).casefold() in self.names
            and all(isinstance(inner, Items) and self.known_names(inner) for inner in item.blocks)
            for item in block.items
        )

    # --- what has no place

    def unplace(self, text: str, line: int, why: Why = Why.REMARK) -> None:
        text = text.strip()
        if text:
            self._unplaced.append((self.part, line, len(self._unplaced), Unplaced(text, line, why, self.where)))

    def remark(self, text: str, line: int, why: Why = Why.REMARK) -> None:
        """Note down a text that stands under no question, unless it is furniture."""
        plain = plain_html(text)
        if has_letter(plain) and not (only_pictures(plain) or is_back_link(plain) or is_licence_line(plain)):
            self.unplace(plain if "<" in text else text, line, why)

    def unplace_row(self, cells: list[str], line: int, why: Why) -> None:
        """Note down a row of a table, its filled cells joined."""
        text = " | ".join(cell.strip() for cell in cells if cell.strip() and not is_empty_cell(cell))
        if has_letter(text):
            self.unplace(text, line, why)

    def unplace_item(self, item: Item, why: Why) -> None:
        text = without_box(item.text)
        if item.link:
            self.unplace(f"[{item.text}]({item.link})", item.line, why)
        else:
            self.remark(text, item.line, why)
        self.unplace_blocks(item.blocks, why)

    def unplace_blocks(self, blocks: list[Block], why: Why) -> None:
        for block in blocks:
            if isinstance(block, Items):
                for item in block.items:
                    self.unplace_item(item, why)
            elif isinstance(block, Details):
                self.remark(block.summary, block.line, why)
                self.unplace_blocks(block.blocks, why)
            elif isinstance(block, Quote):
                self.unplace_blocks(block.blocks, why)
            elif isinstance(block, Table):
                for row, line in zip(block.rows, block.lines, strict=True):
                    self.unplace_row([plain_html(cell) for cell in row], line, why)
            elif isinstance(block, Heading):
                self.remark(clean_topic(block.text), block.line, why)
            elif isinstance(block, Code):
                self.unplace(block.text, block.line, why)
            else:
                self.remark(block.text, block.line, why)

    def warn(self, code: str, line: int, **values: str | int) -> None:
        """Note down something that is wrong with a row and keeps nothing else from being read."""
        self.draft.warnings.append(Problem(self.file, line, self.where, code, values))

    # --- the end

    def finish(self) -> OutlineDraft:
        self.draft.trees = [DraftTree(topic, asked.question()) for topic, asked in self._roots]
        self._unplaced.sort(key=lambda one: one[:3])
        self.draft.unplaced = [one for _part, _line, _number, one in self._unplaced]
        return self.draft
