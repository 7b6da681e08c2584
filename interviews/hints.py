"""Which probe would tell most about one person's boundary now, by their own marks alone. Pure.

Of all probes not asked yet, those that may come are ranked by information per minute: the expected fall of the variance
of ability on the probe's tree (`interviews.rules.ability`, logits squared), divided by the minutes the probe takes.
Changing the tree costs `SWITCH` minutes more. The best probe is the hint. It is a suggestion: nothing here looks at who
leads, and nothing is forced.

**What may come** (`may_come`). At most one level below the deepest level that was asked and not missed; roots always.
Not: trial probes, which say nothing of a boundary; what was asked and not taken back; anything deeper than the ceiling
once the discontinue rule is met; anything of a tree whose ending its author set. A rescue only where its own question
was missed or left unclear, and a second try is due. Questions of the lead's own are in no plan, so never hinted at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from interviews.enums import Aim, ProbeKind
from interviews.rules.ability import Answer, Difficulty, Prospect, difficulty_of_level
from interviews.rules.boundaries import Ask, Boundary, Credit, Ending, State, TreeRule, boundary, credit_of

SWITCH = 0.75
"""Minutes it takes to change the subject."""
MET = 0.5
"""How likely it is that a candidate has met an optional tree at all. Who has not says nothing of a boundary."""
LEAST = 0.02
"""Logits squared. A probe that is expected to tell less is not worth the question."""


class Because(StrEnum):
    """Why a probe is worth asking; `Hint.level` and `Hint.floor` go with it."""

    START = "start"  # nothing was asked on this tree
    START_OPTIONAL = "start_optional"  # the same, and the candidate may not know it at all
    NOTHING_MARKED = "nothing_marked"  # asked, and no mark says anything yet
    GO_UP = "go_up"  # floor held, nothing at this level
    GAP = "gap"  # between floor and ceiling
    SKIPPED = "skipped"  # below the floor
    SECOND_TRY = "second_try"  # this level was missed, above the floor
    OUT_OF_ORDER = "out_of_order"  # this level was missed, deeper ones held
    UNCLEAR = "unclear"  # this level was left unclear
    ONCE_MORE = "once_more"  # this level held; another answer makes it surer


@dataclass(frozen=True, slots=True)
class Probe:
    """A pinned probe. `parent`: the id of the one it follows, "" for a root. `difficulty`: as the calibration wrote it
    down, None where it did not. `outcomes`: on which outcomes of its parent it is asked, empty for any."""

    id: str
    parent: str
    level: int
    kind: ProbeKind
    minutes: int
    aims: tuple[Aim, ...] = ()
    scored: bool = True
    outcomes: tuple[str, ...] = ()
    difficulty: Difficulty | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """A pinned tree and what one person heard on it. `probes` in reading order; `asks` in asked order with their marks,
    ad-hoc probes too; `minutes_left` of its plan, None where nobody planned any."""

    key: str
    rule: TreeRule
    probes: tuple[Probe, ...]
    asks: tuple[Ask, ...] = ()
    ended: Ending | None = None
    minutes_left: float | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """A probe worth asking. `gain` in logits squared, `rate` per minute; `floor` as the person's marks have it, 0 where
    they say nothing; `aims` beyond depth; `minutes_left` of the tree's plan."""

    probe: str
    tree: str
    level: int
    because: Because
    floor: int
    aims: tuple[Aim, ...]
    minutes: int
    minutes_left: float | None
    gain: float
    rate: float


def rank(trees: Sequence[Tree], *, current: str = "") -> list[Hint]:
    """Return every probe that may come, the most telling per minute first. `current`: the id of the probe being asked.

    Of equals, one that follows the current probe comes first, then one whose parent was asked, then reading order.
    """
    here = next((tree.key for tree in trees if any(one.probe == current for one in tree.asks)), "")
    found: list[tuple[float, int, int, Hint]] = []
    for tree in trees:
        reading = _Reading(tree)
        extra = SWITCH if here and tree.key != here else 0.0
        for probe in reading.open_probes():
            hint = reading.hint(probe, extra)
            if hint.gain >= LEAST:
                found.append((-round(hint.rate, 6), reading.distance(probe, current), len(found), hint))
    return [hint for *_order, hint in sorted(found, key=lambda one: one[:3])]


def may_come(tree: Tree) -> list[Probe]:
    """The probes of a tree that may be asked next, in reading order."""
    return _Reading(tree).open_probes()


class _Reading:
    """One person's marks on one tree, read for hints."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.boundary: Boundary = boundary(tree.asks, tree=tree.rule, ended=tree.ended)
        self.standing = {ask.probe: ask for ask in tree.asks if not ask.retracted}
        self.credits = {row.level: row.credit for row in self.boundary.levels}
        self.floor = self.boundary.floor or 0
        self.prospect = Prospect(self._answers())

    def _answers(self) -> list[Answer]:
        """The later judged mark of each probe (rule 1 of the boundary), trial probes left out."""
        known = {probe.id: probe.difficulty for probe in self.tree.probes}
        later: dict[str, Answer] = {}
        for ask in self.tree.asks:
            credit = credit_of(ask.outcome, ask.aid)
            if credit and ask.scored and not ask.retracted and not ask.voided:
                later[ask.probe] = (known.get(ask.probe) or difficulty_of_level(ask.level), credit)
        return list(later.values())

    def open_probes(self) -> list[Probe]:
        if self.boundary.excluded or self.boundary.state == State.ENDED:
            return []
        limit = self._limit()
        return [probe for probe in self.tree.probes if self._is_open(probe, limit)]

    def _limit(self) -> int:
        """The deepest level that may come."""
        held = (level for level in self._levels_asked() if self.credits.get(level) != Credit.MISS)
        deepest = 1 + max(held, default=0)
        if self.boundary.discontinue and self.boundary.ceiling:
            return min(deepest, self.boundary.ceiling)
        return deepest

    def _levels_asked(self) -> set[int]:
        return {ask.level for ask in self.standing.values()}

    def _is_open(self, probe: Probe, limit: int) -> bool:
        if not probe.scored or probe.id in self.standing or probe.level > max(limit, 0 if probe.parent else 1):
            return False
        return probe.kind != ProbeKind.RESCUE or self._rescues(probe)

    def _rescues(self, probe: Probe) -> bool:
        """Whether the question that this one rephrases was not held, and its level has its second try before it."""
        asked = self.standing.get(probe.parent)
        credit = self.credits.get(probe.level)
        if asked is None or credit_of(asked.outcome, asked.aid) not in (Credit.UNCLEAR, Credit.MISS):
            return False
        beside = [ask for ask in self.standing.values() if ask.level == probe.level]
        tries = sum(credit_of(ask.outcome, ask.aid) is not None for ask in beside)
        due = credit == Credit.MISS or (credit == Credit.UNCLEAR and self.tree.rule.retry_unclear)
        return due and tries == 1 and not self.boundary.discontinue

    def hint(self, probe: Probe, extra: float) -> Hint:
        gain = self.prospect.gain(probe.difficulty or difficulty_of_level(probe.level))
        if self.tree.rule.optional and not self.standing:
            gain *= MET
        return Hint(
            probe=probe.id,
            tree=self.tree.key,
            level=probe.level,
            because=self._because(probe),
            floor=self.floor,
            aims=tuple(aim for aim in probe.aims if aim != Aim.DEPTH),
            minutes=probe.minutes,
            minutes_left=self.tree.minutes_left,
            gain=gain,
            rate=gain / (max(probe.minutes, 1) + extra),
        )

    def _because(self, probe: Probe) -> Because:
        if not self.standing:
            return Because.START_OPTIONAL if self.tree.rule.optional else Because.START
        if not self.credits:
            return Because.NOTHING_MARKED
        credit = self.credits.get(probe.level)
        if credit == Credit.MISS:
            return Because.OUT_OF_ORDER if probe.level <= self.floor else Because.SECOND_TRY
        if credit == Credit.UNCLEAR:
            return Because.UNCLEAR
        if credit == Credit.PASS:
            return Because.ONCE_MORE
        if probe.level < self.floor:
            return Because.SKIPPED
        return Because.GAP if probe.level in self.boundary.gaps else Because.GO_UP

    def distance(self, probe: Probe, current: str) -> int:
        """How far a question is from what was just talked about: 0 follows it, 1 follows what was asked, 2 neither, and
        3 is meant for another outcome than the one heard."""
        asked = self.standing.get(probe.parent)
        if asked is None:
            return 2
        if probe.outcomes and asked.outcome is not None and asked.outcome not in probe.outcomes:
            return 3
        return 0 if probe.parent == current else 1
