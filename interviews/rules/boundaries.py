"""The boundary of one person on one tree: floor, ceiling and what may be said about the ending.

One pure function, `boundary()`. The page runs a twin of it; both run `tests/interviews/boundary_vectors.json`.
`docs/boundary-vectors.md` says which reading was chosen where the wording of the rules leaves one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from interviews.enums import Aid, Ended, Outcome

OBSERVED = frozenset({Ended.NO_ANSWER, Ended.WRONG, Ended.RECITED_ONLY, Ended.DECLINED})
"""Endings that say something was heard: they need a miss."""
CUT_SHORT = frozenset({Ended.TIME, Ended.MOVED_ON, Ended.TOP_OF_TREE})
"""Endings that say only where one stopped: without a miss above the floor they mean *at least the floor*."""


class Credit(StrEnum):
    """What a judged mark, or a whole level, says about the level."""

    PASS = "pass"  # noqa: S105 - a credit, not a password
    UNCLEAR = "unclear"
    MISS = "miss"


class NextWhy(StrEnum):
    """Why this level is the one to ask next."""

    START = "start"
    OUT_OF_ORDER = "out_of_order"
    UNCLEAR = "unclear"
    GAP = "gap"
    SECOND_TRY = "second_try"
    GO_UP = "go_up"


class State(StrEnum):
    OPEN = "open"
    ENDED = "ended"
    REOPENED = "reopened"


class Problem(StrEnum):
    """Why an ending cannot stand as it is; the marks decide, the ending is shown with this."""

    NEEDS_MISS = "needs_miss"
    NOT_OPTIONAL = "not_optional"
    HAS_MARKS = "has_marks"


@dataclass(frozen=True, slots=True)
class Ask:
    """One asking of a probe with one person's mark on it; a list of them stands in asked order.

    `probe` names the probe, so that asking it twice is seen; an ad-hoc probe has a name of its own.
    """

    probe: str
    level: int
    outcome: Outcome | None = None
    aid: Aid | None = None
    scored: bool = True
    retracted: bool = False
    voided: bool = False


@dataclass(frozen=True, slots=True)
class TreeRule:
    """`top_level` is the deepest level with a scored probe; `misses_to_end` is at least 1."""

    top_level: int
    misses_to_end: int = 2
    retry_unclear: bool = True
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """`asks`: how many askings of the tree (retracted ones too) stood when it was set or last confirmed."""

    reason: Ended
    asks: int


@dataclass(frozen=True, slots=True)
class Override:
    floor: int
    ceiling: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class LevelCredit:
    level: int
    credit: Credit


@dataclass(frozen=True, slots=True)
class OutOfOrder:
    level: int
    credit: Credit
    ask_again: int


@dataclass(frozen=True, slots=True)
class Next:
    level: int
    why: NextWhy


@dataclass(frozen=True, slots=True)
class ModelRow:
    level: int
    passed: bool


@dataclass(frozen=True, slots=True)
class Boundary:
    """The reading of one person's marks on one tree. Levels count from 1; floor 0 is below the root.

    `floor` is None while no level passed or missed: nothing known is not zero. `excluded` (not expected, not asked):
    nothing of the tree enters card or model. `at_least`: cut short with no miss above the floor.
    """

    levels: tuple[LevelCredit, ...]
    floor: int | None
    ceiling: int | None
    firm: bool
    gaps: tuple[int, ...]
    out_of_order: tuple[OutOfOrder, ...]
    discontinue: bool
    ratable: bool
    next: Next | None
    state: State
    reason: Ended | None
    at_least: bool
    excluded: bool
    problem: Problem | None
    rows: tuple[ModelRow, ...]
    override: Override | None


def credit_of(outcome: Outcome | None, aid: Aid | None) -> Credit | None:
    """What one mark says (rule 2); None where nothing was judged. An aid not marked reads as no help given."""
    if outcome is None or outcome == Outcome.NOT_JUDGED:
        return None
    if aid == Aid.TOLD or outcome in {Outcome.RECITED, Outcome.NOT_SUSTAINED}:
        return Credit.MISS
    if outcome == Outcome.PARTIAL or aid == Aid.HINTED:
        return Credit.UNCLEAR
    return Credit.PASS


def is_firm_miss(outcome: Outcome | None, aid: Aid | None) -> bool:
    """Whether the answer itself missed although help was given (rule 2); a good answer after `told` is no firm miss."""
    return outcome in {Outcome.RECITED, Outcome.NOT_SUSTAINED} and aid in {Aid.HINTED, Aid.TOLD}


def boundary(
    asks: Sequence[Ask], *, tree: TreeRule, ended: Ending | None = None, override: Override | None = None
) -> Boundary:
    """Read one person's marks on one tree by rules 1-9. `asks` in asked order; never raises on any combination."""
    judged = [ask for ask in asks if _can_count(ask) and credit_of(ask.outcome, ask.aid)]
    counted = _later_of_each_probe(judged)
    problem, excluded = _judge_exclusion(ended, tree, anything_judged=bool(counted))
    levels = _credit_by_level(counted)
    floor = _floor(levels)
    ceiling = _ceiling(levels, floor)
    if ended and ended.reason in OBSERVED and ceiling is None:
        problem = Problem.NEEDS_MISS
    standing = _StandingMisses(levels=levels, floor=floor)
    discontinue = standing.longest_run(counted) >= tree.misses_to_end
    ratable = discontinue or standing.missed_twice(judged) or (floor is not None and floor >= tree.top_level)
    out_of_order = _out_of_order(levels, floor, ceiling)
    gaps = tuple(n for n in range((floor or 0) + 1, ceiling or 0) if n not in levels)
    upcoming = None
    if not (ratable or excluded):
        tries = {level: sum(ask.level == level for ask in judged) for level in levels}
        upcoming = _next(levels, tree, floor, ceiling, gaps, out_of_order, tries)
    return Boundary(
        levels=tuple(LevelCredit(level, credit) for level, credit in levels.items()),
        floor=floor,
        ceiling=ceiling,
        firm=any(ask.level == ceiling and is_firm_miss(ask.outcome, ask.aid) for ask in counted),
        gaps=gaps,
        out_of_order=out_of_order,
        discontinue=discontinue,
        ratable=ratable,
        next=upcoming,
        state=_state(asks, ended),
        reason=ended.reason if ended else None,
        at_least=bool(ended and ended.reason in CUT_SHORT and floor is not None and ceiling is None),
        excluded=excluded,
        problem=problem,
        rows=_rows(levels, ceiling),
        override=override,
    )


def _can_count(ask: Ask) -> bool:
    return ask.scored and not ask.retracted and not ask.voided


def _later_of_each_probe(judged: Iterable[Ask]) -> list[Ask]:
    """Keep of each probe the later asking that was judged, at the later place (rule 1)."""
    last: dict[str, Ask] = {}
    for ask in judged:
        last.pop(ask.probe, None)
        last[ask.probe] = ask
    return list(last.values())


def _credit_by_level(counted: Iterable[Ask]) -> dict[int, Credit]:
    """Rule 3: any pass passes; else the last one judged a miss misses; else unclear. Levels ascending."""
    levels: dict[int, Credit] = {}
    for ask in counted:
        credit = credit_of(ask.outcome, ask.aid)
        if credit and levels.get(ask.level) != Credit.PASS:
            levels[ask.level] = credit
    return dict(sorted(levels.items()))


def _floor(levels: dict[int, Credit]) -> int | None:
    """Rule 4: most agreement, ties to the lower. Only passed levels and 0 can win, so only they are tried."""
    passes = [level for level, credit in levels.items() if credit == Credit.PASS]
    misses = [level for level, credit in levels.items() if credit == Credit.MISS]
    if not passes and not misses:
        return None
    best, floor = -1, 0
    for candidate in [0, *passes]:
        agreement = sum(level <= candidate for level in passes) + sum(level > candidate for level in misses)
        if agreement > best:
            best, floor = agreement, candidate
    return floor


def _ceiling(levels: dict[int, Credit], floor: int | None) -> int | None:
    if floor is None:
        return None
    return next((level for level, credit in levels.items() if credit == Credit.MISS and level > floor), None)


def _out_of_order(levels: dict[int, Credit], floor: int | None, ceiling: int | None) -> tuple[OutOfOrder, ...]:
    """Rule 5. The level to ask again is always the missed one: a passed level stays passed whatever follows."""
    found = []
    for level, credit in levels.items():
        if credit == Credit.PASS and ceiling is not None and level > ceiling:
            found.append(OutOfOrder(level, credit, ask_again=ceiling))
        if credit == Credit.MISS and floor is not None and level <= floor:
            found.append(OutOfOrder(level, credit, ask_again=level))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _StandingMisses:
    """Misses that still hold: above the floor, at a level no later answer passed or left unclear."""

    levels: dict[int, Credit]
    floor: int | None

    def holds(self, ask: Ask) -> bool:
        above = self.floor is not None and ask.level > self.floor
        missed = self.levels.get(ask.level) == Credit.MISS
        return above and missed and credit_of(ask.outcome, ask.aid) == Credit.MISS

    def longest_run(self, counted: Iterable[Ask]) -> int:
        """Misses in a row, in asked order; a pass resets, unclear answers neither count nor reset (rule 6)."""
        run = longest = 0
        for ask in counted:
            if self.holds(ask):
                run += 1
                longest = max(longest, run)
            elif credit_of(ask.outcome, ask.aid) == Credit.PASS:
                run = 0
        return longest

    def missed_twice(self, judged: Iterable[Ask]) -> bool:
        """Whether a level was tried again and missed again; asking the same probe again is a second try too."""
        missed = [ask.level for ask in judged if self.holds(ask)]
        return len(missed) > len(set(missed))


def _judge_exclusion(ended: Ending | None, tree: TreeRule, *, anything_judged: bool) -> tuple[Problem | None, bool]:
    """Rule 7: an ending that takes the tree out may not hide an answer that was heard."""
    if ended is None or ended.reason not in {Ended.NOT_EXPECTED, Ended.NOT_ASKED}:
        return None, False
    if anything_judged:
        return Problem.HAS_MARKS, False
    if ended.reason == Ended.NOT_EXPECTED and not tree.optional:
        return Problem.NOT_OPTIONAL, False
    return None, True


def _state(asks: Sequence[Ask], ended: Ending | None) -> State:
    if ended is None:
        return State.OPEN
    if any(not ask.retracted for ask in asks[ended.asks :]):
        return State.REOPENED
    return State.ENDED


def _next(
    levels: dict[int, Credit],
    tree: TreeRule,
    floor: int | None,
    ceiling: int | None,
    gaps: tuple[int, ...],
    out_of_order: tuple[OutOfOrder, ...],
    tries: dict[int, int],
) -> Next:
    """What to ask while not ratable, the most doubtful first."""
    if not levels:
        return Next(1, NextWhy.START)
    # Tried again already, it stays out of order whatever follows: asking for ever would tell nothing.
    doubtful = [found.ask_again for found in out_of_order if tries[found.ask_again] == 1]
    if doubtful:
        return Next(min(doubtful), NextWhy.OUT_OF_ORDER)
    bottom = floor or 0
    unclear = [
        level
        for level, credit in levels.items()
        if credit == Credit.UNCLEAR and level > bottom and (ceiling is None or level < ceiling)
    ]
    untried = [level for level in unclear if tries[level] == 1]
    if untried and tree.retry_unclear:
        return Next(untried[0], NextWhy.UNCLEAR)
    if gaps:
        return Next(gaps[0], NextWhy.GAP)
    if ceiling is not None:
        return Next(ceiling, NextWhy.SECOND_TRY)
    higher = next((level for level in range(bottom + 1, tree.top_level + 1) if level not in levels), None)
    if higher is not None:
        return Next(higher, NextWhy.GO_UP)
    return Next(unclear[0], NextWhy.UNCLEAR)


def _rows(levels: dict[int, Credit], ceiling: int | None) -> tuple[ModelRow, ...]:
    """Rule 9: one row a passed or missed level, upward, ending with the ceiling."""
    return tuple(
        ModelRow(level, passed=credit == Credit.PASS)
        for level, credit in levels.items()
        if credit != Credit.UNCLEAR and (ceiling is None or level <= ceiling)
    )
