"""An outcome in words, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.simulation.outcome import Outcome


def report(outcome: Outcome) -> str:
    """Return what was acknowledged, the panel card, and what does not hold."""
    return "\n".join([*_people(outcome), *_panel(outcome), *_verdict(outcome)])


def _people(outcome: Outcome) -> Iterator[str]:
    yield f"interview {outcome.interview} at {outcome.url}"
    width = max(len(name) for name in outcome.people) if outcome.people else 0
    yield f"  {'':{width}}  {'seat':<11} accepted  resent  refused  lines"
    for name, took in outcome.people.items():
        numbers = f"{len(took.accepted):>8}  {took.resent:>6}  {len(took.refused):>7}  {took.lines:>5}"
        card = "  card in" if took.submitted else ""
        yield f"  {name:<{width}}  {took.role:<11} {numbers}{card}"
    for name, took in outcome.people.items():
        for one in took.refused:
            yield f"  {name}: {one.name} refused: {one.code}, {one.message}"
    if outcome.shared is not None:
        yield f"  shown to the candidate: {', '.join(outcome.shared) or 'nothing'}"


def _panel(outcome: Outcome) -> Iterator[str]:
    content = outcome.content
    if not content:
        return
    yield f"panel card {outcome.panel['number']} of application {outcome.application}, {len(content['raters'])} raters"
    for aim, row in content["dimensions"].items():
        yield f"  {aim:<9} {_dimension(row)}"
    names = {pk: name for name, pk in outcome.raters.items()}
    keys = {pk: key for key, pk in outcome.trees.items()}
    for tree in content["trees"]:
        for row in tree["raters"]:
            yield f"  {keys[tree['tree']]}  {names.get(row['person'], row['person'])}: {_boundary(row)}"
    for row in content["disagreements"]:
        where = row["aim"] if row["kind"] == "value" else f"the floor of {keys[row['tree']]}"
        yield f"  disagreement on {where}: {row['difference']:g} apart"


def _dimension(row: Mapping[str, Any]) -> str:
    if row["value"] is None:
        return str(row["missing"]).replace("_", " ")
    provisional = ", provisional" if row["provisional"] else ""
    return f"{row['value']:.2f}  ({row['lowest']:.2f} to {row['highest']:.2f}, {row['raters']} raters{provisional})"


def _boundary(row: Mapping[str, Any]) -> str:
    if row["excluded"]:
        return str(row["ended"]).replace("_", " ")
    floor = f"at least {row['floor']}" if row["at_least"] else f"floor {row['floor']}"
    ceiling = f", ceiling {row['ceiling']}" if row["ceiling"] is not None else ""
    return f"{floor}{ceiling}" + (f" ({row['ended']})" if row["ended"] else "")


def _verdict(outcome: Outcome) -> Iterator[str]:
    for line in outcome.failures:
        yield f"does not hold: {line}"
    yield "everything expected holds" if not outcome.failures else f"{len(outcome.failures)} expectations do not hold"
