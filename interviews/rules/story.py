"""What was so at which moment of an interview: which question was the current one, how a mark stood. Pure.

Times are aware. What happened off-line arrives late with the time at which it was made; within one log nothing is told
to have happened before what the log has before it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

AskedKey = TypeVar("AskedKey", bound=Hashable)

SAID = ("outcome", "aid", "confidence", "ended", "override")


@dataclass(frozen=True, slots=True)
class Asking(Generic[AskedKey]):
    """One asking. `late`: it came in when somebody else had the lead, and never was current. `gone_at`: taken back."""

    key: AskedKey
    made_at: datetime
    late: bool = False
    gone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Spell(Generic[AskedKey]):
    """From `since` to `until` this was the current question; `until` is None for the last one, which stays."""

    key: AskedKey | None
    since: datetime
    until: datetime | None


def current_spells(askings: Sequence[Asking[AskedKey]]) -> list[Spell[AskedKey]]:
    """Return which question was current when, without gaps, from the first asking on. `askings`: in the asked order.

    Taking one back makes the newest one before it current that then still stood; None when there was none.
    """
    live = [asking for asking in askings if not asking.late]
    moments = sorted({asking.made_at for asking in live} | {asking.gone_at for asking in live if asking.gone_at})
    spells: list[Spell[AskedKey]] = []
    for at in moments:
        standing = [one.key for one in live if one.made_at <= at and (one.gone_at is None or one.gone_at > at)]
        key = standing[-1] if standing else None
        if spells and spells[-1].key == key:
            continue
        if spells:
            spells[-1] = Spell(spells[-1].key, spells[-1].since, at)
        spells.append(Spell(key, at, None))
    return spells


@dataclass(frozen=True, slots=True)
class Stood:
    """How a mark or a boundary stood from `since` until `until` (None: to the end). `values`: by field; aims too."""

    values: Mapping[str, Any]
    since: datetime
    until: datetime | None


def history_of(writes: Iterable[tuple[datetime, Mapping[str, Any]]]) -> list[Stood]:
    """Return how one mark or boundary stood over time, from the data of its `.set` events in the log's order.

    A field that an event doesn't mention stays as it was, null clears it.
    """
    history: list[Stood] = []
    values: dict[str, Any] = {}
    for at, data in writes:
        said = {name: data[name] for name in SAID if name in data} | dict(data.get("ratings") or {})
        values = {name: value for name, value in (values | said).items() if value is not None}
        since = max(at, history[-1].since) if history else at
        if history:
            history[-1] = Stood(history[-1].values, history[-1].since, since)
        history.append(Stood(values, since, None))
    return history
