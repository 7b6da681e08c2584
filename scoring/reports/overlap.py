"""What a comparison says above its drawing: whose intervals overlap, and that overlapping ones order nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.labels import AIMS
from scoring.reports.comparison import Line
from scoring.rules.intervals import Interval, Relation

NAMED = 8
"""As many are called by name; of more, only how many they are."""


@dataclass(frozen=True, slots=True)
class Statement:
    """`head`: the one sentence to take along. `by_aim`: (dimension, sentence)."""

    head: str
    by_aim: tuple[tuple[str, str], ...]


def state(lines: Sequence[Line], against: Mapping[str, Interval | None]) -> Statement | None:
    """Say how the lines' intervals lie to the reference's; None where fewer than two have values to speak of."""
    if sum(line.content is not None for line in lines) < 2:
        return None
    reference = next((line for line in lines if line.reference), None)
    if reference is None or not any(not cell.raw and cell.figure for line in lines for cell in line.cells):
        return Statement(_without_intervals(), ())
    others = [line for line in lines if line.content is not None and not line.reference]
    found = [cell.relation for line in others for cell in line.cells if cell.relation]
    return Statement(
        _head(reference.name, found),
        tuple(
            (str(label), _sentence(reference.name, others, place, known=against[aim] is not None))
            for place, (aim, label) in enumerate(AIMS.items())
        ),
    )


def _without_intervals() -> str:
    return _(
        "No calibrated value, so no 95% interval: nothing can be said about whether these overlap. Raw values depend "
        "on who asked and what was asked; they do not order people."
    )


def _head(name: str, found: Sequence[Relation]) -> str:
    overlapping = found.count(Relation.OVERLAPS)
    if not found:
        return _("Nobody else has an interval to measure against %(name)s.") % {"name": name}
    if overlapping == len(found):
        said = _("Every interval overlaps that of %(name)s.")
    elif overlapping * 2 > len(found):
        said = _("Most intervals overlap that of %(name)s.")
    elif overlapping:
        said = _("Some intervals overlap that of %(name)s.")
    else:
        return _("No interval overlaps that of %(name)s.") % {"name": name}
    return " ".join((said % {"name": name}, _("Overlapping intervals do not order people.")))


def _sentence(name: str, others: Sequence[Line], place: int, *, known: bool) -> str:
    if not known:
        return _("No interval for %(name)s, so there is nothing to measure against.") % {"name": name}
    groups: dict[Relation | None, list[str]] = {}
    for line in others:
        groups.setdefault(line.cells[place].relation, []).append(line.name)
    said = [
        _("Overlaps %(name)s: %(who)s.") % {"name": name, "who": _who(groups.get(Relation.OVERLAPS, []))},
        _("Above: %(who)s.") % {"who": _who(groups.get(Relation.ABOVE, []))},
        _("Below: %(who)s.") % {"who": _who(groups.get(Relation.BELOW, []))},
    ]
    if without := groups.get(None):
        said.append(_("Without an interval: %(who)s.") % {"who": _who(without)})
    return " ".join(said)


def _who(names: Sequence[str]) -> str:
    if not names:
        return _("none")
    return str(len(names)) if len(names) > NAMED else _(", ").join(names)
