"""Second markings: drawn at random or by disagreement, asked of somebody who was not there, compared with the panel.

Both causes take one way: the same night, the same order, the same choice of interview and of person, one row that says
why. Nothing that the person reads is made from the cause.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext as _

from interviews.models import Application, Position
from interviews.sealed import all_in
from people import audit
from people.locks import Lock, queue_on
from people.models import Person
from people.refusal import Refused
from scoring.enums import MarkingCause
from scoring.models import BlindMarking, MarkingDraw, MarkingTerms, PanelScorecard
from scoring.queries.blind import free_markers, markable_interviews, open_to
from scoring.queries.panel import newest_panel
from scoring.rules import CODE_VERSION
from scoring.rules.blind import cause_of, draw, pick
from scoring.services.marking_requests import ask_to_send

DRAWN = (MarkingCause.RANDOM, MarkingCause.DISAGREEMENT)
MOST_OPEN = 2
"""So many markings wait for one person at the most; others wait for somebody who has time."""


def change_percent(*, position: Position, by: Person, percent: int) -> None:
    """Say how many of a hundred applications of a position are drawn from now on. What was drawn stays drawn."""
    if not 0 <= percent <= 100:
        raise Refused(_("Give a number from 0 to 100."), field="percent")
    with transaction.atomic():
        terms = terms_of(position)
        if terms.percent != percent:
            MarkingTerms.objects.filter(pk=terms.pk).update(percent=percent)
            audit.record(by, "marking.percent", position, before=terms.percent, after=percent)


def terms_of(position: Position) -> MarkingTerms:
    """Return the terms of a position, made with a fresh seed the first time."""
    terms, _made = MarkingTerms.objects.get_or_create(position=position)
    return terms


@transaction.atomic
def draw_second_markings() -> int:
    """Draw for every application whose judgements are all in, ask who has time, and return how many were asked.

    Run twice, the second run changes nothing but for people who have time by then.
    """
    queue_on(Lock.MARKINGS)
    for application in _undrawn():
        _draw(application)
    asked = MarkingDraw.objects.filter(cause__isnull=False).select_related("application")
    marked = BlindMarking.objects.filter(interview__application=OuterRef("application"), cause=OuterRef("cause"))
    open_or_in = marked.exclude(pk__in=_given_up())
    return sum(_ask(one) for one in asked.filter(~Exists(open_or_in)).order_by("application"))


def _given_up() -> list[int]:
    """What nobody will hand in: whoever was asked has left, or may no longer read it."""
    waiting = BlindMarking.objects.filter(submitted_at__isnull=True, cause__in=DRAWN).select_related("marker")
    return [
        one.pk
        for one in waiting
        if not one.marker.is_active
        or not BlindMarking.objects.filter(open_to(one.marker, "interview"), pk=one.pk).exists()
    ]


def _undrawn() -> list[Application]:
    drawn = MarkingDraw.objects.filter(application=OuterRef("pk"))
    compiled = PanelScorecard.objects.filter(application=OuterRef("pk"), code_version=CODE_VERSION)
    markable = markable_interviews().filter(application=OuterRef("pk"))
    closed = Application.objects.filter(all_in(""), ~Exists(drawn), Exists(compiled), erased_at__isnull=True)
    return list(closed.filter(Exists(markable)).select_related("position").order_by("pk"))


def _draw(application: Application) -> None:
    terms = terms_of(application.position)
    panel = newest_panel(application.pk)
    disagrees = panel is not None and bool(panel.content["disagreements"])
    number = draw(terms.seed, application.pk)
    MarkingDraw.objects.create(
        application=application,
        number=number,
        percent=terms.percent,
        seed=terms.seed,
        disagrees=disagrees,
        cause=cause_of(number, terms.percent, disagrees=disagrees),
    )


def _ask(drawn: MarkingDraw) -> bool:
    """Ask somebody to mark an interview of the application; False while nobody who may has time for it."""
    application = drawn.application
    if not Application.objects.filter(all_in(""), pk=application.pk, erased_at__isnull=True).exists():
        return False
    interviews = {interview.pk: interview for interview in markable_interviews().filter(application=application)}
    people = {person.pk: person for person in free_markers(application)}
    load = _load(people)
    free = [pk for pk, (waiting, _all) in load.items() if waiting < MOST_OPEN]
    if not interviews or not free:
        return False
    least = min(load[pk][1] for pk in free)
    marker = pick(drawn.seed, application.pk, [pk for pk in free if load[pk][1] == least])
    interview = pick(drawn.seed, application.pk, list(interviews))
    asked = BlindMarking.objects.create(
        interview=interviews[interview], marker=people[marker], cause=MarkingCause(drawn.cause)
    )
    ask_to_send(asked)
    return True


def _load(people: dict[int, Person]) -> dict[int, tuple[int, int]]:
    """{person: (markings that wait for them, all they were ever asked for)}"""
    rows = BlindMarking.objects.filter(marker__in=people).order_by().values("marker")
    counted = rows.annotate(waiting=Count("pk", filter=Q(submitted_at__isnull=True)), ever=Count("pk"))
    found = {row["marker"]: (row["waiting"], row["ever"]) for row in counted}
    return {pk: found.get(pk, (0, 0)) for pk in people}
