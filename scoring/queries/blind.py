"""What somebody who marks from the timeline without names may read, and whom it is asked of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from interviews.enums import Aid, Aim, InterviewStatus, Outcome, Revealed
from interviews.models import Application, Asked, Interview, Position, Reveal, Seat
from interviews.sealed import OWING, all_in, duty, on_panel
from people.enums import PersonRole
from people.fields import words_in
from people.models import Person
from questionbank.enums import Scoring
from questionbank.models import Anchor
from scoring.enums import StatementKind
from scoring.models import BlindMark, BlindMarking, Revision, RevisionStatement
from scoring.queries.cards import Sealed
from scoring.queries.revisions import AskedProbe, last_independent, load_asked, load_voids
from scoring.queries.titles import Words
from scoring.rules import MarkIn, Ratings
from scoring.rules.blind import without_names


def open_to(viewer: Person, interview: str) -> Q:
    """The condition under which `viewer` may mark the interview at that path without having been there.

    All is in; they have no part in the application, now or before, and no duty on the person in any position.
    """
    application = f"{interview}__application" if interview else "application"
    sat = Seat.objects.filter(person=viewer, interview__application__candidate=OuterRef(f"{application}__candidate"))
    return (
        all_in(application)
        & Q(**{f"{application}__erased_at__isnull": True})
        & ~duty(viewer, f"{application}__candidate")
        & ~on_panel(viewer, application)
        & ~Q(Exists(sat))
    )


def marking_for(viewer: Person, code: UUID) -> BlindMarking:
    """Fetch the viewer's own marking. 404 for everybody else; Sealed while the interview is not to be read."""
    mine = BlindMarking.objects.filter(code=code, marker=viewer)
    if not mine.exists():
        raise Http404
    found = mine.filter(open_to(viewer, "interview")).select_related("interview__application__position").first()
    if found is None:
        raise Sealed
    return found


def own_markings(viewer: Person) -> QuerySet[BlindMarking]:
    """What waits to be marked by the viewer, the oldest first; why is not read."""
    waiting = BlindMarking.objects.filter(open_to(viewer, "interview"), marker=viewer, submitted_at__isnull=True)
    return waiting.only("code", "requested_at").order_by("requested_at", "pk")


def free_markers(application: Application) -> list[Person]:
    """List who could mark an interview of the application: interviewers who know nothing of this person.

    Those who sat or sit anywhere with the candidate, who are in charge of a position the candidate applied for, who
    administer, who saw any of the candidate's judgements, or who were asked to mark the application already are out.
    """
    applications = Application.objects.filter(candidate=application.candidate_id)
    seated = Seat.objects.filter(person=OuterRef("pk"), interview__application__in=applications)
    saw = Reveal.objects.filter(viewer=OuterRef("pk"), application__in=applications).exclude(what=Revealed.CHAT)
    asked = BlindMarking.objects.filter(marker=OuterRef("pk"), interview__application=application)
    manages = Position.objects.filter(managers=OuterRef("pk"), applications__in=applications)
    people = Person.objects.filter(roles__contains=[PersonRole.INTERVIEWER.value], is_active=True)
    people = people.exclude(roles__contains=[PersonRole.ADMINISTRATOR.value])
    return list(people.exclude(Exists(seated) | Exists(saw) | Exists(manages) | Exists(asked)).order_by("pk"))


def markable_interviews() -> QuerySet[Interview]:
    """The held interviews of which an independent card says something, of every application."""
    said = Revision.objects.unsealed_for_compiling().filter(
        seat__interview=OuterRef("pk"), seat__role__in=OWING, after_seeing_others=False
    )
    asked = Asked.objects.filter(
        Q(adhoc__isnull=False) | Q(probe__scoring=Scoring.SCORED), interview=OuterRef("pk"), retracted_at__isnull=True
    )
    held = Interview.objects.filter(status=InterviewStatus.ENDED)
    return held.filter(Exists(said), Exists(asked)).order_by("pk")


# --- what is read -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """Something that was written down of an answer, by nobody in particular. `words` is None once erased."""

    kind: StatementKind
    type: str
    aid: str
    words: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """One asking, as it is marked without names. `anchors`: aim -> [(rating, words)]."""

    asked: str
    probe: AskedProbe
    tree_title: Words
    title: Words
    prompt: Words
    said: list[Said]
    anchors: Mapping[Aim, list[tuple[int, Words]]]


def load_answers(interview: Interview) -> list[Answer]:
    """Read what was asked and what was written down of the answers, without names and without anybody's marks.

    Trial and voided probes are left out. The caller fetched the interview with the right to it (`open_to`).
    """
    voids = load_voids(interview.application.position_id)
    asked = {
        key: probe
        for key, probe in load_asked([interview.pk]).items()
        if probe.scored and (probe.tree, probe.key) not in voids
    }
    names = _names(interview.application)
    said = _said(interview, names)
    anchors = _anchors(asked.values())
    return [_answer(key, probe, said.get(key, []), anchors, names) for key, probe in asked.items()]


def _answer(
    key: str,
    probe: AskedProbe,
    said: list[Said],
    anchors: Mapping[int, dict[Aim, list[tuple[int, Words]]]],
    names: set[str],
) -> Answer:
    row = probe.row
    if row.probe is not None:
        title, prompt = words_in(row.probe.title), words_in(row.probe.prompt)
        tree = words_in(row.probe.version.title)
        return Answer(key, probe, tree, title, prompt, said, anchors.get(row.probe.pk, {}))
    own = row.adhoc
    # Asked in the room, of this person: "Kim, and on your machine?"
    words = (without_names(own.text.body or "", names), own.language) if own else ("", "")
    return Answer(key, probe, words_in(own.parent.version.title) if own else ("", ""), words, words, said, {})


def _names(application: Application) -> set[str]:
    """Every name that must not be read: of all who have a seat with the candidate, and the candidate's."""
    seats = Seat.objects.filter(interview__application__candidate=application.candidate_id, person__isnull=False)
    names = set(seats.values_list("person__name", flat=True))
    identity = getattr(application.candidate, "identity", None)
    return names | ({identity.name} if identity else set())


def _said(interview: Interview, names: set[str]) -> dict[str, list[Said]]:
    """What the last independent cards wrote down, by asking; by kind and then by the words, so that nothing shows who
    wrote what."""
    last = last_independent(seat__interview=interview, seat__role__in=OWING)
    rows = RevisionStatement.objects.unsealed_for_compiling().filter(revision__in=last.values(), asked__isnull=False)
    found: dict[str, list[Said]] = {}
    for row in rows.select_related("text"):
        words = None if row.text.body is None else without_names(row.text.body, names)
        found.setdefault(str(row.asked_id), []).append(Said(StatementKind(row.kind), row.type, row.aid, words))
    order = list(StatementKind)
    for said in found.values():
        said.sort(key=lambda one: (order.index(one.kind), one.type, one.words or ""))
    return found


def _anchors(asked: Iterable[AskedProbe]) -> dict[int, dict[Aim, list[tuple[int, Words]]]]:
    probes = {probe.row.probe_id for probe in asked if probe.row.probe_id}
    found: dict[int, dict[Aim, list[tuple[int, Words]]]] = {}
    for anchor in Anchor.objects.filter(probe__in=probes):
        of_probe = found.setdefault(anchor.probe_id, {})
        of_probe.setdefault(Aim(anchor.aim), []).append((anchor.rating, words_in(anchor.text)))
    return found


# --- what was marked --------------------------------------------------------------------------------------------------


def marks_of(marking: BlindMarking) -> dict[str, BlindMark]:
    """Return the marker's own marks, by asking."""
    return {str(row.asked_id): row for row in BlindMark.objects.marked_by(marking.marker).filter(marking=marking)}


def as_marks(marks: Mapping[str, Any], asked: Mapping[str, AskedProbe]) -> list[MarkIn]:
    """Read blind marks as the rules read a card's; what was taken back since is left out."""
    return [
        MarkIn(
            asked=key,
            interview=0,
            order=asked[key].row.seq,
            tree=asked[key].tree,
            probe=asked[key].probe,
            level=asked[key].level,
            aims=asked[key].aims,
            scored=asked[key].scored,
            outcome=Outcome(row.outcome) if row.outcome else None,
            aid=Aid(row.aid) if row.aid else None,
            ratings=Ratings(row.depth, row.why, row.hands_on),
        )
        for key, row in marks.items()
        if key in asked
    ]
