"""What `B` and its reason may do to the current probe, and which overrides are sound (rules 7 to 9)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from interviews.enums import Aid, Ended, Outcome
from interviews.rules.boundaries import OBSERVED, Credit, Override, credit_of


class Refused(StrEnum):
    """Codes of the wire that an ending can be refused with."""

    NOT_ASKED = "not_asked"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class EndingEffect:
    """`outcome`: the mark to set on the current probe first, if any. `refused`: nothing may change, and why."""

    outcome: Outcome | None = None
    refused: Refused | None = None


def ending_effect(
    reason: Ended, *, asked: bool, outcome: Outcome | None, aid: Aid | None, optional: bool, judged: int
) -> EndingEffect:
    """Say what ending a tree for `reason` does to the current probe (rule 8).

    `asked`: the probe pointed at was asked and not retracted. `outcome`, `aid`: the author's mark on it.
    `judged`: how many counted marks the author has on the tree. The page sends the mark before the ending; the
    server, which never writes a mark by itself, takes an `outcome` here to mean that the mark is missing.
    """
    if reason in {Ended.NOT_ASKED, Ended.NOT_EXPECTED}:
        hides = judged > 0 or (reason == Ended.NOT_EXPECTED and not optional)
        return EndingEffect(refused=Refused.CONTRADICTION if hides else None)
    if not asked:
        return EndingEffect(refused=Refused.NOT_ASKED)
    if reason not in OBSERVED:
        return EndingEffect()
    credit = credit_of(outcome, aid)
    if credit is None:
        return EndingEffect(outcome=Outcome.RECITED if reason == Ended.RECITED_ONLY else Outcome.NOT_SUSTAINED)
    return EndingEffect(refused=None if credit == Credit.MISS else Refused.CONTRADICTION)


def is_sound_override(override: Override) -> bool:
    """Whether its values can be a boundary at all and a reason is given; it need not agree with the marks."""
    in_order = override.floor >= 0 and (override.ceiling is None or override.ceiling > override.floor)
    return in_order and bool(override.reason.strip())
