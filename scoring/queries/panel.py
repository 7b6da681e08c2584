"""What a panel scorecard is compiled from, and the compiled card for those the seal lets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from django.db.models import OuterRef, QuerySet, Subquery

from interviews.enums import Aim, Role
from interviews.models import Application, Event, Interview, Seat
from interviews.sealed import OWING, readable_panel
from people.models import Person
from scoring.models import PanelScorecard, Revision
from scoring.queries.calibrated import load_calibration
from scoring.queries.revisions import AskedProbe, load_asked, load_revisions, load_voids
from scoring.queries.trees import load_trees
from scoring.rules import CODE_VERSION, AskedIn, PanelInputs, RaterIn, RevisionIn
from scoring.rules.canonical import in_order


def load_inputs(application: int) -> PanelInputs:
    """Load everything a panel card depends on, in order, in a constant number of queries. Raises
    Application.DoesNotExist.

    Shadows are left out here already: nothing of theirs can move a panel card, not even its digest.
    """
    row = Application.objects.select_related("position__plan").get(pk=application)
    places = interview_places([application])
    asked = load_asked(places)
    voids = load_voids(row.position_id)
    seats = list(Seat.objects.filter(interview__in=places, role__in=OWING, person__isnull=False).order_by("id"))
    # Which revisions there are is read once: one submitted meanwhile belongs to the next compile, whole.
    kept = Revision.objects.unsealed_for_compiling()
    seat_of = dict(kept.filter(seat__in=seats).order_by("number").values_list("pk", "seat"))
    revisions = load_revisions(kept.filter(pk__in=seat_of), places=places, asked=asked, voids=voids)
    by_seat: dict[int, list[RevisionIn]] = {}
    for pk, seat in seat_of.items():
        by_seat.setdefault(seat, []).append(revisions[pk])
    # What was pinned counts once somebody's card says what came of it: an interview that is planned, and maybe
    # cancelled, changes nothing that is compiled.
    told = {seat.interview_id for seat in seats if seat.pk in by_seat}
    plan = row.position.plan
    inputs = in_order(
        PanelInputs(
            application=row.pk,
            required_aims=tuple(Aim(aim) for aim in plan.required_aims) if plan else (),
            trees=load_trees(row, told),
            asked=tuple(_asked(probe, places, voids) for probe in asked.values()),
            raters=tuple(_raters(seats, by_seat)),
        )
    )
    return replace(inputs, calibration=load_calibration(row, inputs))


def interview_places(applications: Iterable[int]) -> dict[int, int]:
    """Return {interview: place in the loop of its application}. By the first event of each room, which outlives the
    rounding of times.

    Interviews without an event stand last: one that is scheduled later must not move those that were compiled.
    """
    first = Event.objects.filter(room=OuterRef("room")).order_by("id").values("id")[:1]
    interviews = Interview.objects.filter(application__in=list(applications)).annotate(first=Subquery(first))
    order: dict[int, list[tuple[bool, int, int]]] = defaultdict(list)
    for pk, application, event in interviews.values_list("pk", "application", "first"):
        order[application].append((event is None, event or 0, pk))
    return {pk: place for loop in order.values() for place, (_quiet, _first, pk) in enumerate(sorted(loop))}


def _asked(probe: AskedProbe, places: dict[int, int], voids: set[tuple[int, str]]) -> AskedIn:
    return AskedIn(
        asked=str(probe.row.pk),
        interview=places[probe.row.interview_id],
        order=probe.row.seq,
        tree=probe.tree,
        probe=probe.probe,
        level=probe.level,
        aims=probe.aims,
        scored=probe.scored,
        voided=(probe.tree, probe.key) in voids,
    )


def _raters(seats: Iterable[Seat], by_seat: dict[int, list[RevisionIn]]) -> Iterable[RaterIn]:
    """One rater for each person with a submitted card; a person with two interviews has two seats."""
    people: dict[int, list[Seat]] = {}
    for seat in seats:
        if seat.person_id is not None and seat.pk in by_seat:
            people.setdefault(seat.person_id, []).append(seat)
    for person, own in people.items():
        cards = [by_seat[seat.pk] for seat in own]
        independent = [[revision for revision in card if revision.independent] for card in cards]
        yield RaterIn(
            person=person,
            role=Role.LEAD if any(seat.role == Role.LEAD for seat in own) else Role.INTERVIEWER,
            order=own[0].pk,
            latest=tuple(card[-1] for card in cards),
            last_independent=tuple(card[-1] for card in independent if card),
            first=tuple(card[0] for card in cards),
        )


def newest_panel(application: int) -> PanelScorecard | None:
    """Return the current panel card. For compiling; pages use `panel_visible_to`."""
    return PanelScorecard.objects.filter(application=application).order_by("number").last()


def drawable_panels(viewer: Person) -> QuerySet[PanelScorecard]:
    """The panel cards that the seal lets `viewer` read and that this code can draw: whoever draws one asks here.

    Those of older code have other contents; `services.panels.ask_for_outdated` has them compiled anew.
    """
    return PanelScorecard.objects.filter(readable_panel(viewer, "application"), code_version=CODE_VERSION)


def panel_visible_to(viewer: Person, application: Application) -> PanelScorecard | None:
    """Return the current panel card if the seal lets `viewer` read it, and there is one that this code can draw."""
    newest = PanelScorecard.objects.filter(application=application).order_by("-number").values("pk")[:1]
    return drawable_panels(viewer).filter(pk=newest).first()
