"""Taking ratings of an automatic judge: all of a batch or nothing, and a batch that comes again only once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from interviews.enums import InterviewStatus, TextKind
from interviews.models import Application, Interview, Text
from interviews.sealed import in_charge
from people import audit
from questionbank.models import Tree
from scoring.models import Judge, JudgeBatch, JudgeRating
from scoring.queries.judges import counting_applications
from scoring.queries.revisions import AskedProbe, load_asked
from scoring.rules.judging import Problem, Refusal, Said, digest_of
from scoring.services.panels import ask_for_panel

MOST_RATINGS = 20_000
MOST_PROBLEMS = 20
"""So many problems are said of one batch; those after them are counted."""


class KeyUsed(Exception):
    """The key stands for another batch of this judge already."""


@dataclass(frozen=True, slots=True)
class Taken:
    """How many ratings are new, and how many had come before; `repeated`: so had the whole batch."""

    taken: int
    known: int
    repeated: bool


@transaction.atomic
def take_ratings(*, judge: Judge, key: str, said: Sequence[Said]) -> Taken:
    """Keep a batch of ratings. Raises Refusal with a problem for each row that can't be taken, and KeyUsed; then
    nothing was kept.

    A judge rates what its maker is in charge of, once the interview is over. Applications whose position lets judges
    count are compiled again.
    """
    # Batches of one judge wait for each other here: the second finds what the first one kept.
    judge = Judge.objects.select_for_update(of=("self",)).select_related("created_by").get(pk=judge.pk)
    digest = digest_of(said)
    before = JudgeBatch.objects.filter(judge=judge, key=key).first()
    if before is not None:
        if before.digest != digest:
            raise KeyUsed
        return Taken(before.taken, before.known, repeated=True)
    looked_up = _Batch(judge, said)
    new, known = looked_up.sorted_out()
    batch = JudgeBatch.objects.create(judge=judge, key=key, digest=digest, taken=len(new), known=known)
    _keep(batch, new)
    audit.record(None, "judge.rated", judge, batch=batch.pk, taken=len(new))
    for application in counting_applications({one.application for one in new}):
        ask_for_panel(application)
    return Taken(len(new), known, repeated=False)


@dataclass(frozen=True, slots=True)
class _Found:
    """A row with the answer that it rates."""

    said: Said
    asked: UUID
    application: int


Place = tuple[UUID, str]
"""An answer, by its asking, and the dimension."""


class _Batch:
    """The rows of a batch beside what was asked in the interviews they name; a constant number of queries."""

    def __init__(self, judge: Judge, said: Sequence[Said]) -> None:
        if len(said) > MOST_RATINGS:
            words = f"There are {len(said):,} ratings."
            raise Refusal(Problem(None, words, f"{MOST_RATINGS:,} are the most at once: send them in parts."))
        self.judge, self.said = judge, said
        self.interviews = _interviews(judge, {one.reference for one in said})
        every = {pk: interview for found in self.interviews.values() for pk, interview in found.items()}
        self.application_of = {pk: interview.application_id for pk, interview in every.items()}
        self.probes: dict[int, dict[tuple[str, str], AskedProbe]] = defaultdict(dict)
        asked = load_asked(every).values()
        trees = dict(Tree.objects.filter(pk__in={one.tree for one in asked}).values_list("pk", "key"))
        for one in asked:
            if one.key:  # of a probe asked twice the later one is meant
                self.probes[one.row.interview_id][trees[one.tree], one.key] = one

    def sorted_out(self) -> tuple[list[_Found], int]:
        """Return what is new, and how many ratings had come before. Raises Refusal."""
        problems: list[Problem] = []
        found: dict[Place, _Found] = {}
        for one in self.said:
            try:
                asked = self._asked(one).row
            except Refusal as refusal:
                problems += refusal.problems
                continue
            place = (asked.pk, one.aim.value)
            if place in found:
                words = f"It rates again what row {found[place].said.row} rates."
                problems.append(Problem(one.row, words, "Remove one of them."))
            found.setdefault(place, _Found(one, asked.pk, self.application_of[asked.interview_id]))
        kept = self._kept(found)
        problems += [
            _changed(found[place].said, rating) for place, rating in kept.items() if rating != found[place].said.rating
        ]
        if problems:
            raise Refusal(*_first(problems))
        return [one for place, one in found.items() if place not in kept], len(kept)

    def _asked(self, one: Said) -> AskedProbe:
        """Find what a row rates: in the interview it names, or in the last one of the application it names."""
        interviews = self.interviews.get(one.reference)
        if interviews is None:
            words = f"There is no interview or application {one.reference} within reach of {self.judge}."
            raise Refusal(Problem(one.row, words, "Check the code; a judge reaches what the person who made it does."))
        over = [pk for pk, interview in interviews.items() if interview.status == InterviewStatus.ENDED]
        if not over:
            raise Refusal(Problem(one.row, "This interview is not over.", "Send its ratings when it has ended."))
        asked = next((self.probes[pk][name] for pk in over if (name := (one.tree, one.probe)) in self.probes[pk]), None)
        if asked is None:
            words = f"The probe {one.tree}/{one.probe} was not asked there."
            remedy = "Rate what was asked; questions of the lead's own can't be rated from outside."
            raise Refusal(Problem(one.row, words, remedy))
        if one.aim not in asked.aims:
            words = f"The probe {one.tree}/{one.probe} is not rated on {one.aim.value}."
            raise Refusal(Problem(one.row, words, f"It is rated on {', '.join(aim.value for aim in asked.aims)}."))
        if one.at is not None and one.at > timezone.now():
            raise Refusal(Problem(one.row, "The time is yet to come.", "Check the clock, or leave the time out."))
        return asked

    def _kept(self, found: Collection[Place]) -> dict[Place, int]:
        """What this judge said of the same answers before."""
        rows = JudgeRating.objects.unsealed_for_compiling().filter(
            judge=self.judge, asked__in={asked for asked, _aim in found}
        )
        before = {(asked, aim): rating for asked, aim, rating in rows.values_list("asked", "aim", "rating")}
        return {place: before[place] for place in found if place in before}


def _first(problems: list[Problem]) -> list[Problem]:
    """The first problems, by row, and how many there are beyond."""
    shown = sorted(problems, key=lambda problem: problem.row or 0)[:MOST_PROBLEMS]
    more = len(problems) - len(shown)
    left = [Problem(None, f"{more:,} more can't be taken.", "Mend these first.")] if more else []
    return shown + left


def _changed(one: Said, rating: int) -> Problem:
    words = f"This judge rated the answer before, {rating} and not {one.rating}."
    return Problem(one.row, words, "Ratings never change: make a judge for the new version.")


def _interviews(judge: Judge, references: set[UUID]) -> dict[UUID, dict[int, Interview]]:
    """{reference: interviews by id, the latest first}, of what the judge's maker is in charge of now."""
    maker = judge.created_by
    if not maker.is_active:
        return {}
    applications = Application.objects.filter(in_charge(maker, "position"), erased_at__isnull=True)
    rows = Interview.objects.filter(application__in=applications).select_related("application")
    found: dict[UUID, dict[int, Interview]] = {}
    for interview in rows.filter(code__in=references):
        found[interview.code] = {interview.pk: interview}
    named = rows.filter(application__code__in=references).order_by("-started_at", "-pk")
    for interview in named:
        found.setdefault(interview.application.code, {})[interview.pk] = interview
    return found


def _keep(batch: JudgeBatch, new: Sequence[_Found]) -> None:
    notes: dict[int, Text] = {}
    for one in new:
        if one.said.note:
            text = Text(application_id=one.application, kind=TextKind.NOTE, frozen=True)
            text.write(one.said.note)
            notes[one.said.row] = text
    Text.objects.bulk_create(notes.values())
    JudgeRating.objects.unsealed_for_compiling().bulk_create(
        JudgeRating(
            batch=batch,
            judge_id=batch.judge_id,
            application_id=one.application,
            asked_id=one.asked,
            aim=one.said.aim,
            rating=one.said.rating,
            text=notes.get(one.said.row),
            rated_at=one.said.at,
        )
        for one in new
    )
