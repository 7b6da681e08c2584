"""What the second step of a calibration is made from: shadows' cards, trial probes on everybody's, judges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import F

from interviews.enums import Role
from interviews.models import Seat
from scoring.calibration.rows import item_name
from scoring.models import Revision
from scoring.queries.judges import counting_applications, load_judged
from scoring.queries.panel import interview_places
from scoring.queries.revisions import last_independent, load_asked, load_revisions, load_voids
from scoring.queries.runs import load_wordings
from scoring.rules import PanelInputs, RaterIn, RevisionIn
from scoring.rules.aside import Aside, Source, by_source, judged_rows, shadow_rows, trial_rows
from scoring.rules.linked import RatingRow


@dataclass(frozen=True, slots=True)
class Sources:
    """Ratings by what they measure. `aside`: moves no one. `counted`: judges where their position lets them count."""

    aside: dict[Source, list[RatingRow]]
    counted: dict[Source, list[RatingRow]]


def load_sources(panels: Sequence[PanelInputs]) -> Sources:
    """Return the ratings by every shadow and automatic judge, and on every trial probe as it was worded, of these
    applications."""
    applications = [inputs.application for inputs in panels]
    shadows, judged = load_shadows(applications), load_judged(applications)
    seen = [row for inputs in panels for row in shadow_rows(inputs, shadows.get(inputs.application, ()))]
    on_trial = [row for inputs in panels for row in trial_rows(inputs)]
    judges = [row for inputs in panels for row in judged_rows(inputs, judged.get(inputs.application, ()))]
    wordings = load_wordings(row.asked for row in on_trial)
    items = ((item_name(row.tree, row.probe, wordings.get(row.asked, "")), row) for row in on_trial)
    counting = counting_applications(judged.keys())
    aside = [row for row in judges if row.application not in counting]
    return Sources(
        aside={
            **by_source(Aside.INTERVIEWERS, ((str(row.person), row) for row in seen)),
            **by_source(Aside.ITEMS, items),
            **by_source(Aside.JUDGES, ((str(row.person), row) for row in aside)),
        },
        counted=by_source(Aside.JUDGES, ((str(row.person), row) for row in judges if row.application in counting)),
    )


def load_shadows(applications: Collection[int]) -> dict[int, list[RaterIn]]:
    """Return the shadows of these applications, each with the last independent revision of every card they handed in.

    Eight queries and five for each position. Their cards are no part of a panel card's inputs, so they are read here.
    """
    last = last_independent(
        seat__interview__application__in=list(applications), seat__role=Role.SHADOW, seat__person__isnull=False
    )
    seats = list(
        Seat.objects.filter(pk__in=last)
        .annotate(application=F("interview__application"), position=F("interview__application__position"))
        .order_by("pk")
    )
    places = interview_places({seat.application for seat in seats})
    asked = load_asked(places)
    read: dict[int, RevisionIn] = {}
    by_position: dict[int, list[int]] = defaultdict(list)
    for seat in seats:
        by_position[seat.position].append(last[seat.pk])
    for position, revisions in by_position.items():
        rows = Revision.objects.unsealed_for_compiling().filter(pk__in=revisions)
        read |= load_revisions(rows, places=places, asked=asked, voids=load_voids(position))
    found: dict[int, dict[int, list[tuple[int, RevisionIn]]]] = defaultdict(lambda: defaultdict(list))
    for seat in seats:
        found[seat.application][seat.person_id or 0].append((seat.pk, read[last[seat.pk]]))
    return {
        application: [_shadow(person, cards) for person, cards in people.items()]
        for application, people in found.items()
    }


def _shadow(person: int, cards: list[tuple[int, RevisionIn]]) -> RaterIn:
    own = tuple(card for _seat, card in cards)
    return RaterIn(person=person, role=Role.SHADOW, order=cards[0][0], latest=own, last_independent=own, first=own)
