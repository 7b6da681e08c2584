"""What the health pages show of each probe: figures with their names, in the order of the closed lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from questionbank.enums import Aim, BranchOutcome
from questionbank.health import MARKS_TO_PROMOTE, Help, Inversion, ProbeHealth
from questionbank.health_reads import HealthOfTree
from questionbank.models import Probe
from questionbank.wording import AIMS, HELPS, OUTCOMES

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class HealthRow:
    """One probe of the table. `reworded`: the draft asks it in other words."""

    probe: Probe
    health: ProbeHealth
    reworded: bool

    @property
    def outcomes(self) -> list[tuple[_StrPromise, int]]:
        seen = self.health.seen
        return [(OUTCOMES[one], seen.outcomes.get(one, 0)) for one in BranchOutcome] if seen else []

    @property
    def helps(self) -> list[tuple[_StrPromise, int]]:
        seen = self.health.seen
        return [(HELPS[one], seen.helps.get(one, 0)) for one in Help] if seen else []

    @property
    def share(self) -> int | None:
        """Sustained answers of a hundred judged."""
        seen = self.health.seen
        return round(100 * seen.sustained / seen.judged) if seen and seen.judged else None

    @property
    def difficulty(self) -> list[tuple[_StrPromise, str, str]]:
        """Aim, logits with their sign, standard error."""
        seen = self.health.seen
        found = seen.difficulty if seen else {}
        return [(AIMS[aim], _signed(found[aim][0]), f"{found[aim][1]:.1f}") for aim in Aim if aim in found]

    @property
    def agreement(self) -> list[tuple[_StrPromise, str]]:
        seen = self.health.seen
        found = seen.agreement if seen else {}
        return [(AIMS[aim], f"{found[aim]:.2f}".replace("-", "−")) for aim in Aim if aim in found]

    @property
    def leak(self) -> tuple[str, str] | None:
        """By how many points it rose, and its follow-ups."""
        leak = self.health.seen.leak if self.health.seen else None
        return (_signed(leak.own, 0), _signed(leak.follow_ups, 0)) if leak else None

    @property
    def marks_needed(self) -> int:
        return MARKS_TO_PROMOTE


@dataclass(frozen=True, slots=True)
class InversionRow:
    """`by`: the aim on which the calibration finds the deeper one easier, None where numbers of answers say it."""

    deeper: HealthRow
    shallower: HealthRow
    by: _StrPromise | None


def health_rows(found: HealthOfTree) -> dict[str, HealthRow]:
    """Return a row of each probe by key, in reading order."""
    reworded = found.draft.reworded if found.draft else frozenset()
    return {
        one.node.key: HealthRow(found.probes[one.node.key], one, one.node.key in reworded)
        for one in found.health.probes
    }


def inversion_row(found: Inversion, rows: dict[str, HealthRow]) -> InversionRow:
    by = AIMS[found.aim] if found.aim else None
    return InversionRow(rows[found.deeper.node.key], rows[found.shallower.node.key], by)


def _signed(value: float, digits: int = 1) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")
