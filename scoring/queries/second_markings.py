"""What was drawn for second markings, and the norming set, for who is in charge; and the set for who marks it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.http import Http404

from interviews.models import Application, Interview, Position
from interviews.queries.hiring import name_of
from interviews.sealed import all_in, readable_panel, told_nothing
from people.models import Person
from scoring.models import BlindMarking, MarkingDraw, NormingInterview
from scoring.queries.blind import markable_interviews, open_to


@dataclass(frozen=True, slots=True)
class DrawRow:
    """One candidate's draw. `state`: "" (not asked for), "waiting" (nobody has time yet), "asked", "in"."""

    draw: MarkingDraw
    name: str
    state: str

    @property
    def drawn(self) -> float:
        """As a percentage, to be compared with the position's."""
        return self.draw.number / 100


def draw_rows(viewer: Person, position: Position) -> list[DrawRow]:
    """List what was drawn for the position's candidates whose panel card the viewer may read, newest first.

    That the panel disagrees is a judgement: others' rows are left out. Who marks is named to nobody.
    """
    readable = Application.objects.filter(readable_panel(viewer, ""), position=position)
    draws = MarkingDraw.objects.filter(application__in=readable).select_related("application__candidate__identity")
    rows = BlindMarking.objects.filter(interview__application__position=position)
    submitted = {
        (application, cause): submitted is not None
        for application, cause, submitted in rows.values_list("interview__application", "cause", "submitted_at")
    }
    return [
        DrawRow(draw, name_of(draw.application.candidate), _state(draw, submitted))
        for draw in draws.order_by("-drawn_at", "-pk")
    ]


def _state(draw: MarkingDraw, submitted: dict[tuple[int, str], bool]) -> str:
    if draw.cause is None:
        return ""
    done = submitted.get((draw.application_id, draw.cause))
    return "waiting" if done is None else "in" if done else "asked"


# --- the norming set --------------------------------------------------------------------------------------------------


def norming_choices(viewer: Person, position: Position) -> list[Interview]:
    """The position's interviews that can join the set: held, all in, not in it yet, and no judge of theirs looks."""
    applications = Application.objects.filter(
        all_in(""), ~told_nothing(viewer, ""), position=position, erased_at__isnull=True
    )
    known = NormingInterview.objects.filter(closed_at__isnull=True).values("interview")
    found = markable_interviews().filter(application__in=applications).exclude(pk__in=known)
    return list(found.select_related("application__candidate__identity").order_by("-starts_at"))


def norming_of(viewer: Person, position: Position) -> list[tuple[NormingInterview, str, int]]:
    """The position's interviews in the set, with the candidate's name and how many markings are in.

    As everywhere, whoever judges a candidate is not told that all cards are in.
    """
    rows = NormingInterview.objects.filter(
        ~told_nothing(viewer, "interview__application"),
        closed_at__isnull=True,
        interview__application__position=position,
    )
    found = list(rows.select_related("interview__application__candidate__identity"))
    counted = _markings_in([row.interview_id for row in found])
    return [(row, name_of(row.interview.application.candidate), counted.get(row.interview_id, 0)) for row in found]


def _markings_in(interviews: Iterable[int]) -> dict[int, int]:
    handed_in = BlindMarking.objects.filter(interview__in=list(interviews), submitted_at__isnull=False).order_by()
    rows = handed_in.values("interview").annotate(n=Count("pk"))
    return {row["interview"]: row["n"] for row in rows}


@dataclass(frozen=True, slots=True)
class NormingRow:
    """An interview of the set for one who marks it: by the month it was held, without a name."""

    norming: NormingInterview
    marking: BlindMarking | None

    @property
    def submitted(self) -> bool:
        return self.marking is not None and self.marking.submitted_at is not None


def norming_rows(viewer: Person) -> list[NormingRow]:
    """The interviews of the set that the viewer can mark or has marked, in the order they were added."""
    mine = {row.interview_id: row for row in BlindMarking.objects.filter(marker=viewer)}
    rows = _open_norming(viewer).order_by("added_at", "pk")
    return [NormingRow(row, mine.get(row.interview_id)) for row in rows]


def norming_for(viewer: Person, code: UUID) -> NormingInterview:
    """Fetch an interview of the set by the interview's code; 404 for who has to do with its candidate."""
    found = _open_norming(viewer).filter(interview__code=code).select_related("interview__application").first()
    if found is None:
        raise Http404
    return found


def _open_norming(viewer: Person) -> QuerySet[NormingInterview]:
    named = Q(interview__application__position__in=viewer.positions.values("pk"))
    return NormingInterview.objects.filter(open_to(viewer, "interview"), ~named, closed_at__isnull=True)
