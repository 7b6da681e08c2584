"""A document with headings -> draft: rules 1 and 2, contents, licence parts. What stands between: `flow`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from questionbank.exchange.outlines.asking import (
    ANSWER,
    FOLLOW_UP,
    QUESTION,
    Label,
    has_mark,
    is_contents,
    is_licence,
    label_of,
)
from questionbank.exchange.outlines.blocks import Block, Details, Heading, Para, written
from questionbank.exchange.outlines.builder import Asked, Builder
from questionbank.exchange.outlines.cleaning import clean_prompt, clean_topic
from questionbank.exchange.outlines.draft import Why
from questionbank.exchange.outlines.flow import Flow, heading_label, short_details
from questionbank.exchange.outlines.looking import block_holds_question
from questionbank.exchange.outlines.numbering import number_of
from questionbank.exchange.outlines.texts import has_letter, is_link_elsewhere, plain_html, without_marks


@dataclass(slots=True)
class _Frame:
    """An open heading. `trees` counts those that stood before it: a topic without one of its own is unplaced."""

    level: int
    name: str
    line: int
    trees: int
    asked: Asked | None = None


def place_document(builder: Builder, blocks: list[Block]) -> None:
    """Place all blocks of a document."""
    builder.names = frozenset(
        clean_topic(block.text if isinstance(block, Heading) else block.summary).casefold()
        for block in blocks
        if isinstance(block, Heading | Details)
    )
    _Document(builder, blocks).place()


class _Document:
    def __init__(self, builder: Builder, blocks: list[Block]) -> None:
        self.builder = builder
        self.blocks = blocks
        self.frames: list[_Frame] = []
        self.asking = _asking(blocks, builder.file)
        self.texts = _asking_texts(blocks, self.asking, builder.file)
        self.flow = Flow(builder, short=short_details(blocks))

    def place(self) -> None:
        skip = 0  # the level of the licence part that is being skipped
        for index, block in enumerate(self.blocks):
            if isinstance(block, Heading):
                if skip and block.level > skip:
                    continue
                skip = 0
                if is_licence(clean_topic(block.text)) and index not in self.asking:
                    skip = block.level
                    self._close(block.level)
                    self._begin(None)
                    continue
                self._heading(index, block)
            elif not skip and index in self.texts and isinstance(block, Para):
                self.flow.take(self.builder.ask(block.text, block.line, self._topic(), None, loose=True))
            elif not skip:
                self.flow.block(block, self.blocks[index + 1] if index + 1 < len(self.blocks) else None)
        self._close(0)

    def _heading(self, index: int, heading: Heading) -> None:
        name = clean_topic(heading.text)
        self.builder.in_contents = False
        label = heading_label(heading.text)
        if label and not (label.kind == QUESTION and label.text):
            self._label(heading, label)
        elif is_contents(name):
            self._close(heading.level)
            self._begin(None)
            self.builder.in_contents = True
        elif index in self.asking:
            after = self.blocks[index + 1] if index + 1 < len(self.blocks) else None
            self._ask(heading, label.text if label else heading.text, after)
        elif above := self._question_above(heading.level):
            if self._close(heading.level) or self.flow.current is None:
                self.flow.current = self.flow.base = self.flow.question = above
            self.flow.current.add(written(heading), prose=False)
        elif has_letter(name):
            self._close(heading.level)
            self.frames.append(_Frame(heading.level, name, heading.line, self.builder.trees))
            self._begin(None)

    def _ask(self, heading: Heading, text: str, after: Block | None) -> None:
        self._close(heading.level)
        if is_link_elsewhere(plain_html(text), self.builder.file) and (after is None or isinstance(after, Heading)):
            self.builder.unplace(text, heading.line, Why.LINK)  # it leads to a question; here is none
            self._begin(None)
            return
        parent = next((frame.asked for frame in reversed(self.frames) if frame.asked), None)
        asked = self.builder.ask(plain_html(text), heading.line, self._topic(), parent, loose=True)
        self.frames.append(_Frame(heading.level, clean_prompt(text), heading.line, self.builder.trees, asked))
        self._begin(asked)

    def _label(self, heading: Heading, label: Label) -> None:
        """Take a heading that is only a label: it says what follows and groups nothing."""
        kind, text = label.kind, label.text
        flow = self.flow
        if kind == QUESTION:
            self._close(heading.level)
            self._begin(None)
            flow.expect = QUESTION
        elif kind == FOLLOW_UP and flow.base:
            flow.follow_ups = True
            if text:
                flow.follow([text], heading.line)
            else:
                flow.current = None
                flow.expect = FOLLOW_UP
        elif kind == ANSWER and flow.current:
            flow.labelled(label, heading.text, heading.line)
        else:
            self.builder.remark(clean_topic(heading.text), heading.line, Why.NO_QUESTION)

    def _question_above(self, level: int) -> Asked | None:
        """Return the question heading that a heading of this level stands inside."""
        return next((frame.asked for frame in reversed(self.frames) if frame.level < level and frame.asked), None)

    def _begin(self, asked: Asked | None) -> None:
        flow = self.flow
        above = asked or next((frame.asked for frame in reversed(self.frames) if frame.asked), None)
        flow.topic = self._topic()
        flow.question = flow.current = flow.base = above
        flow.expect, flow.follow_ups, flow.answering, flow.soft, flow.last = "", False, False, None, None

    def _topic(self) -> tuple[str, ...]:
        return tuple(frame.name for frame in self.frames if frame.asked is None)

    def _close(self, level: int) -> bool:
        """End every part of this level or deeper; True when one was open."""
        closed = False
        while self.frames and self.frames[-1].level >= level:
            frame = self.frames.pop()
            closed = True
            if frame.asked is None and frame.trees == self.builder.trees:
                self.builder.unplace(frame.name, frame.line, Why.HEADING)
        return closed


def _asking(blocks: list[Block], file: str) -> set[int]:
    """Return the places of the headings that ask: by the mark, or numbered among headings that do.

    A numbered heading asks when a heading of its own level has a question mark and nothing under it asks.
    """
    marked: set[int] = set()
    levels: set[int] = set()
    for index, block in enumerate(blocks):
        if isinstance(block, Heading):
            label = heading_label(block.text)
            if label and label.kind != QUESTION:
                continue
            if (label and label.text) or has_mark(plain_html(block.text)):
                marked.add(index)
                levels.add(block.level)
    holds = [
        int(index in marked or (not isinstance(block, Heading) and block_holds_question(block, file)))
        for index, block in enumerate(blocks)
    ]
    before = [0, *accumulate(holds)]
    ends = _ends(blocks)
    numbered = {
        index
        for index, block in enumerate(blocks)
        if isinstance(block, Heading)
        and index not in marked
        and block.level in levels
        and (block.numbered or number_of(without_marks(plain_html(block.text))))
        and heading_label(block.text) is None
        and before[ends[index]] == before[index + 1]
    }
    return marked | numbered


FEWEST: Final = 3


def _asking_texts(blocks: list[Block], asking: set[int], file: str) -> set[int]:
    """Return the places of paragraphs that are questions: the first under a heading that only names what they ask.

    One such paragraph is a remark (*Want to help?*); a bank that is written so has several.
    """
    ends = _ends(blocks)
    found = {
        index + 1
        for index, end in ends.items()
        if index not in asking
        and index + 1 < end
        and isinstance(para := blocks[index + 1], Para)
        and label_of(para.text) is None
        and para.text.rstrip("*_ ").endswith(("?", "？"))
        and has_mark(para.text)
        and not is_contents(clean_topic(getattr(blocks[index], "text", "")))
        and not any(place in asking for place in range(index, min(end, index + 200)))
        and not any(block_holds_question(block, file) for block in blocks[index + 2 : min(end, index + 50)])
    }
    return found if len(found) >= FEWEST else set()


def _ends(blocks: list[Block]) -> dict[int, int]:
    """Return for each heading where its part ends: at the next heading of its level or above."""
    ends: dict[int, int] = {}
    open_: list[tuple[int, int]] = []
    for index, block in enumerate(blocks):
        if isinstance(block, Heading):
            while open_ and open_[-1][0] >= block.level:
                ends[open_.pop()[1]] = index
            open_.append((block.level, index))
    ends.update({index: len(blocks) for _level, index in open_})
    return ends
