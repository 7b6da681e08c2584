"""The items of one list, outline or map -> questions, topics, answers, or no place: rule 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from questionbank.exchange.outlines.asking import ANSWER, FOLLOW_UP, QUESTION, Label, asks, label_of
from questionbank.exchange.outlines.blocks import Block, Item, Items, ListKind, Para, written_item
from questionbank.exchange.outlines.builder import Asked
from questionbank.exchange.outlines.cleaning import clean_topic, split_prompt
from questionbank.exchange.outlines.draft import Why
from questionbank.exchange.outlines.looking import holds_question, is_link_item, item_asks, option_above

if TYPE_CHECKING:
    from questionbank.exchange.outlines.flow import Flow


class Placing:
    """One list: rule 3. `last` is the question that a label in the next item belongs to."""

    def __init__(self, flow: Flow, block: Items, parent: Asked | None, *, every: bool) -> None:
        self.flow, self.block, self.parent, self.every = flow, block, parent, every
        self.builder = flow.builder
        self.last: Asked | None = None
        self.root: Asked | None = None
        self.options = option_above(block.items)
        self.asking = every or any(map(self.own_question, block.items))
        self.points: list[Item] = []
        if block.kind is ListKind.NUMBERS:
            for item in block.items:
                if len(item.lines) > 1 and not item_asks(item):  # what follows its line is no part of its name
                    item.blocks.insert(0, Para(item.lines[1:], item.line + 1))
                    del item.lines[1:]

    def own_question(self, item: Item) -> bool:
        label = None if self.options else label_of(item.text)
        return not item.aside and (label is None or label.kind == QUESTION) and item_asks(item, self.builder.file)

    def item(self, item: Item) -> None:
        label = None if self.options else self.flow.label(item.text) or self.own_label(item.text)
        if item.comment:
            self.builder.unplace_item(item, Why.COMMENT)
        elif is_link_item(item, self.builder.file) and not holds_question(item.blocks, self.builder.file):
            self.builder.unplace_item(item, Why.LINK)
        elif label and self.by_label(label, item):
            return
        elif item_asks(item) and not (item.aside and not asks(item.text)):
            self.ask(item, item.lines)
        elif self.parent is None and holds_question(item.blocks, self.builder.file):
            self.topic(item)
        elif item.aside:
            self.builder.unplace_item(item, Why.REMARK)
        elif self.asking and self.builder.can_ask(item) and (self.parent or self.block.kind is not ListKind.MAP):
            self.ask(item, item.lines)
        elif self.parent and not self.asking:
            self.points.append(item)
        else:
            self.builder.unplace_item(item, Why.REMARK)

    def own_label(self, text: str) -> Label | None:
        label = label_of(text)
        return label if label and self.root and self.root.marked else None

    def by_label(self, label: Label, item: Item) -> bool:
        """Take an item that begins with a label; False where the label belongs to nothing."""
        target = self.root if self.root and self.root.marked else (self.parent or self.root)
        if label.kind == QUESTION:
            if label.text:
                self.ask(item, label.text.split("\n"), marked=True)
            else:
                self.inside(item, self.parent, expect=QUESTION)
            return True
        if label.kind == FOLLOW_UP and target:
            if label.text:
                self.ask(item, label.text.split("\n"), parent=target)
            else:
                self.inside(item, target, expect=FOLLOW_UP)
            return True
        answered = self.last or self.parent
        if label.kind == ANSWER and answered:
            answered.answer_begins(longer=label.longer)
            flow = self.flow.within(answered, answering=True)
            if label.text:
                flow.add(label.text, item.line)
            flow.run(item.blocks)
            return True
        return False

    def inside(self, item: Item, parent: Asked | None, *, expect: str) -> None:
        self.flow.within(parent, expect=expect).run(item.blocks)

    def ask(self, item: Item, lines: list[str], *, parent: Asked | None = None, marked: bool = False) -> None:
        prompt, rest = split_prompt(lines)
        asked = self.builder.ask(prompt, item.line, self.flow.topic, parent or self.parent)
        asked.marked = marked
        self.last = asked
        if parent is None:
            self.root = asked
        inside = self.flow.within(asked)
        if rest:
            inside.paragraph(Para(rest, item.line))
        inside.run(item.blocks)

    def topic(self, item: Item) -> None:
        rest: list[Block] = [Para(item.lines[1:], item.line)] if len(item.lines) > 1 else []
        name = clean_topic(item.lines[0]) if item.lines else ""
        self.flow.inner_topic(name, item.line, [*rest, *item.blocks])

    def finish(self) -> None:
        if self.points and self.parent:
            self.parent.add("\n".join(map(written_item, self.points)), prose=False)
