"""What a file gave, whatever its format: trees, a plan, rows without a place, problems. Every reader returns this."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext

from questionbank.exchange.problems import Problem
from questionbank.lint import Finding, lint
from questionbank.outline import OutlinePlan, OutlineTopic, OutlineTree

Lines = Mapping[str, Mapping[str, int]]
"""Key of a tree or plan -> place in it -> line. A place is `probe`, `probe.prompt` or so, "" the tree's own key."""


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A row, as written, that no tree took. `line` is 0 where a format has none, `where` a sheet or a part of a file,
    `why` says it in words."""

    text: str
    line: int = 0
    where: str = ""
    why: str = ""

    def said(self, file: str) -> str:
        place = ":".join(filter(None, [file, self.where, str(self.line or "")]))
        words = {"place": place, "text": self.text, "why": self.why}
        if self.why:
            return gettext("%(place)s: not placed: %(text)s (%(why)s)") % words
        return gettext("%(place)s: not placed: %(text)s") % words

    def as_json(self, file: str) -> dict[str, str | int]:
        return {"file": file, "line": self.line, "where": self.where, "text": self.text, "why": self.why}


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading with problems has neither trees nor plan.

    `source` is the text of a file in our own format, comments and order as written; other formats keep none.
    `topics` are those that hold no tree themselves. `notices` are said and stop nothing, such as columns that nothing
    reads.
    """

    file: str
    source: str = ""
    trees: tuple[OutlineTree, ...] = ()
    topics: tuple[OutlineTopic, ...] = ()
    plan: OutlinePlan | None = None
    problems: tuple[Problem, ...] = ()
    notices: tuple[Problem, ...] = ()
    unplaced: tuple[Unplaced, ...] = ()
    lines: Lines = field(default_factory=dict)

    @property
    def names_topics(self) -> bool:
        """Whether topics have their titles from this file. An outline's headings only say where its questions go."""
        return bool(self.source)

    @property
    def tree(self) -> OutlineTree | None:
        """The tree of a file that holds one."""
        return self.trees[0] if len(self.trees) == 1 else None

    def line(self, key: str, place: str = "") -> int:
        """Return the line of a place, or of the nearest thing around it that has one; 0 where nothing is known."""
        lines = self.lines.get(key, {})
        while place and place not in lines:
            place = place.rpartition(".")[0]
        return lines.get(place, 0)

    def problem(self, finding: Finding) -> Problem:
        """Say a finding with its place in this file."""
        said = Problem.of(finding)
        return said.at(self.file, self.line(finding.tree, said.place))


def findings(readings: Iterable[Reading]) -> list[Problem]:
    """Return what the linter says of all trees of these files together, file by file."""
    readings = list(readings)
    return said_of(readings, lint([tree for reading in readings for tree in reading.trees]))


def said_of(readings: Iterable[Reading], found: Iterable[Finding]) -> list[Problem]:
    """Say findings about trees of these files, each with its place in its file."""
    holders: dict[str, Reading] = {}
    for reading in readings:
        for tree in reading.trees:
            holders.setdefault(tree.key, reading)
    return [holders[one.tree].problem(one) for one in found]
