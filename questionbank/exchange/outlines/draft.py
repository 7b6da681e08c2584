"""What a reader makes of a file: trees of questions with answers, and whatever found no place. Values only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from questionbank.exchange.problems import Problem

Topic: TypeAlias = tuple[str, ...]
"""The names from the outermost topic to the innermost; empty for a tree without one."""


class Why(StrEnum):
    """Why something was not placed. Words for people: questionbank.exchange.outlines.reasons."""

    REMARK = "remark"
    HEADING = "heading"
    LINK = "link"
    COMMENT = "comment"
    NO_QUESTION = "no_question"
    NO_COLUMN = "no_column"
    PARENT_UNKNOWN = "parent_unknown"
    CIRCLE = "circle"
    LEVEL = "level"
    TOO_DEEP = "too_deep"
    TOO_LONG = "too_long"
    TOO_MANY = "too_many"


@dataclass(slots=True)
class Question:
    """A question at its place. `line` counts from 1: a line of the file, a row of a sheet, or the number of a node."""

    prompt: str
    line: int
    answer: str | None = None
    follow_ups: list[Question] = field(default_factory=list)


@dataclass(slots=True)
class DraftTree:
    topic: Topic
    root: Question

    def probes(self) -> Iterator[tuple[int, Question]]:
        """Yield level and question in reading order, the root at level 1."""
        stack = [(1, self.root)]
        while stack:
            level, question = stack.pop()
            yield level, question
            stack += [(level + 1, one) for one in reversed(question.follow_ups)]


@dataclass(frozen=True, slots=True)
class Unplaced:
    """Text as written that no rule found a place for. `where` names the sheet or the part of an archive, if any."""

    text: str
    line: int
    why: Why = Why.REMARK
    where: str = ""


@dataclass(slots=True)
class OutlineDraft:
    """Everything one file holds. With `problems` nothing could be read, and the rest is empty.

    `warnings` say what is odd about single rows; what they mean stands in `unplaced` or was placed all the same.
    `unread` names columns, attributes and fields that hold something and that no rule reads.
    """

    file: str
    format: str
    trees: list[DraftTree] = field(default_factory=list)
    unplaced: list[Unplaced] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    @property
    def topics(self) -> list[Topic]:
        """Return every topic that has a tree, or has one inside, outer ones first, in reading order."""
        found: dict[Topic, None] = {}
        for tree in self.trees:
            for length in range(1, len(tree.topic) + 1):
                found.setdefault(tree.topic[:length])
        return list(found)

    @property
    def probes(self) -> int:
        return sum(1 for tree in self.trees for _probe in tree.probes())

    def as_json(self) -> dict[str, Any]:
        """Return topics, trees and unplaced texts as plain values, a topic written `Outer > Inner`."""
        return {
            "topics": [topic_name(topic) for topic in self.topics],
            "trees": [
                {
                    "root": tree.root.prompt,
                    "topic": topic_name(tree.topic) or None,
                    "probes": [
                        {"level": level, "prompt": question.prompt, "answer": question.answer}
                        for level, question in tree.probes()
                    ],
                }
                for tree in self.trees
            ],
            "unplaced": [one.text for one in self.unplaced],
        }


def topic_name(topic: Topic) -> str:
    return " > ".join(topic)


def refused(file: str, form: str, code: str, *, line: int = 0, **values: str | int) -> OutlineDraft:
    """Return the draft of a file that can't be read."""
    return OutlineDraft(file, form, problems=[Problem(file, line, "", code, values)])
