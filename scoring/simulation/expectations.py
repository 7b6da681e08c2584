"""Comparing what came of a simulation with what must hold: always, and by the script's `expect`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from scoring.enums import NoValue
from scoring.simulation.outcome import Outcome, Took
from scoring.simulation.script import Expect, ExpectedBoundary, ExpectedDimension, Script

NEAR: Final = Decimal("0.005")
"""Values are written with two decimals."""
ADDS: Final[Mapping[str, str]] = {"evidence": "evidence", "reason": "reasons"}


def failures(script: Script, outcome: Outcome) -> list[str]:
    """Return a line for everything that does not hold; [] when all does."""
    found: list[str] = []
    for took in outcome.people.values():
        found += _always(took)
    found += _people(script.expect, outcome)
    if script.expect.of_panel:
        found += panel_failures(script.expect, outcome)
    return found


# --- always


def _always(took: Took) -> Iterator[str]:
    """Every acknowledged command was heard as exactly one event of its stream, without holes; the closing agrees."""
    causes = Counter((heard.stream, heard.cause) for heard in took.heard if heard.cause)
    for acked in took.accepted:
        if took.role == "candidate":
            continue
        times = causes[(acked.stream, acked.id)]
        if times != 1:
            yield f"{took.name}: {acked.name} {acked.id} was acknowledged and heard {times} times"
    for stream in sorted({heard.stream for heard in took.heard}):
        seqs = [heard.seq for heard in took.heard if heard.stream == stream]
        if seqs != list(range(seqs[0], seqs[0] + len(seqs))):
            yield f"{took.name}: the stream {stream} has holes: {seqs}"
    if took.closing is not None and took.closing != (written := closing_counts(took)):
        yield f"{took.name}: the server closed with {dict(took.closing)}, heard were {written}"


def closing_counts(took: Took) -> dict[str, int]:
    """What the events of the own stream add up to, counted as the server counts when an interview closes."""
    counts = dict.fromkeys(("marks", "evidence", "reasons", "notes", "boundaries"), 0)
    items: dict[str, set[Any]] = {"mark.set": set(), "boundary.set": set(), "note.set": set()}
    for heard in took.heard:
        if heard.stream != "mine":
            continue
        kind, _dot, what = heard.name.partition(".")
        if heard.name in items:
            items[heard.name].add(heard.data.get("asked" if kind != "boundary" else "tree"))
        elif kind in ADDS:
            counts[ADDS[kind]] += {"add": 1, "remove": -1}.get(what, 0)
    return counts | {
        "marks": len(items["mark.set"]), "boundaries": len(items["boundary.set"]), "notes": len(items["note.set"]),
    }  # fmt: skip


# --- as the script says


def _people(expect: Expect, outcome: Outcome) -> Iterator[str]:
    for name, wanted in expect.accepted.items():
        took = outcome.people.get(name)
        if (count := len(took.accepted) if took else 0) != wanted:
            yield f"accepted.{name}: {count} commands, expected {wanted}"
    for name, took in outcome.people.items():
        codes, foreseen = Counter(one.code for one in took.refused), Counter(expect.refused.get(name, ()))
        if codes != foreseen:
            said = "; ".join(f"{one.name}: {one.code} ({one.message})" for one in took.refused) or "nothing"
            yield f"refused.{name}: {said}, expected {', '.join(foreseen.elements()) or 'nothing'}"
    if expect.shared is not None and list(expect.shared) != list(outcome.shared or []):
        yield f"shared: {_list(outcome.shared or [])}, expected {_list(expect.shared)}"


def panel_failures(expect: Expect, outcome: Outcome) -> Iterator[str]:
    content = outcome.content
    if not content:
        yield "panel: there is no panel card"
        return
    yield from _same("raters", len(content["raters"]), expect.raters)
    yield from _same("breadth", content["breadth"]["count"], expect.breadth)
    for aim, dimension in expect.dimensions.items():
        yield from _dimension(f"dimensions.{aim}", content["dimensions"][aim], dimension, outcome.raters)
    for tree, boundaries in expect.trees.items():
        for name, boundary in boundaries.items():
            where = f"trees.{tree}.{name}"
            found = _boundary_of(content, outcome.trees.get(tree), outcome.raters.get(name))
            yield from _boundary(where, found, boundary) if found else [f"{where}: there is none"]
    if expect.disagreements is not None:
        keys = {pk: key for key, pk in outcome.trees.items()}
        differ = [row["aim"] if row["kind"] == "value" else keys[row["tree"]] for row in content["disagreements"]]
        if sorted(differ) != sorted(expect.disagreements):
            yield f"disagreements: {_list(differ)}, expected {_list(expect.disagreements)}"


def _boundary_of(content: Mapping[str, Any], tree: int | None, person: int | None) -> Mapping[str, Any] | None:
    rows = [row for one in content["trees"] if one["tree"] == tree for row in one["raters"] if row["person"] == person]
    return rows[0] if rows else None


def _same(where: str, found: object, wanted: object) -> Iterator[str]:
    if wanted is not None and found != wanted:
        yield f"{where}: {_say(found)}, expected {_say(wanted)}"


def _near(where: str, found: float | None, wanted: Decimal | None) -> Iterator[str]:
    if wanted is not None and (found is None or abs(Decimal(str(found)) - wanted) > NEAR):
        yield f"{where}: {_say(found)}, expected {wanted}"


def _dimension(
    where: str, found: Mapping[str, Any], wanted: ExpectedDimension, raters: Mapping[str, int]
) -> Iterator[str]:
    for name in ("value", "lowest", "highest"):
        yield from _near(f"{where}.{name}", found[name], getattr(wanted, name))
    for name in ("missing", "raters", "provisional"):
        yield from _same(f"{where}.{name}", found[name], getattr(wanted, name))
    rows = {row["person"]: row for row in found["by_rater"]}
    for name, value in wanted.of.items():
        row = rows.get(raters.get(name, -1))
        if row is None:
            yield f"{where}.of.{name}: there is no card of theirs"
        elif isinstance(value, NoValue):
            yield from _same(f"{where}.of.{name}", row["missing"] or row["value"], value.value)
        else:
            yield from _near(f"{where}.of.{name}", row["value"], value)


def _boundary(where: str, found: Mapping[str, Any], wanted: ExpectedBoundary) -> Iterator[str]:
    for name in ("floor", "ended", "at_least", "ratable"):
        yield from _same(f"{where}.{name}", found[name], getattr(wanted, name))
    if wanted.ceiling is not None:
        yield from _same(f"{where}.ceiling", found["ceiling"] or 0, wanted.ceiling)


def _say(value: object) -> str:
    """As YAML would have it."""
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list(values: Sequence[str]) -> str:
    return ", ".join(values) or "nothing"
