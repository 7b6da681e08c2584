"""What the nightly snapshot counts: the askings and marks of closed applications."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Q, QuerySet

from interviews.enums import Aid, InterviewStatus, Outcome
from interviews.models import Application, Asked, Interview
from interviews.queries.pauses import pauses_of
from interviews.rules import AskedAt, tree_times
from interviews.sealed import OWING, all_in
from questionbank.models import Probe
from scoring.models import CountedApplication, RevisionMark
from scoring.queries.letters import DECIDED
from scoring.queries.revisions import last_independent
from scoring.queries.voids import not_voided
from scoring.rules.figures import AskedOnce, Heard, Wording


def closed_applications() -> QuerySet[Application]:
    """Return the applications whose judgements are no secret to whoever is in charge any more: all in, decided, or
    opened. One that is decided stays so when a further interview is planned."""
    return Application.objects.filter(all_in("") | DECIDED | Q(opened_at__isnull=False), erased_at__isnull=True)


def not_erased(applications: Collection[int]) -> QuerySet[Application, int]:
    """Return which of these applications are kept."""
    return Application.objects.filter(pk__in=applications, erased_at__isnull=True).values_list("pk", flat=True)


def load_asked(applications: Collection[int]) -> list[AskedOnce]:
    """Return the askings of the bank's probes in these applications, but for voided ones. Five queries."""
    interviews = Interview.objects.filter(application__in=applications, status=InterviewStatus.ENDED)
    ended = {pk: (room, at) for pk, room, at in interviews.values_list("pk", "room", "ended_at")}
    pauses = pauses_of(room for room, _at in ended.values())
    standing = Asked.objects.filter(interview__in=list(ended), retracted_at__isnull=True)
    spans: dict[int, list[AskedAt[str]]] = defaultdict(list)
    for pk, interview, made_at in standing.values_list("pk", "interview", "made_at"):
        spans[interview].append(AskedAt(str(pk), made_at))
    spent = {
        asked: span
        for interview, asks in spans.items()
        for asked, span in tree_times(asks, pauses=pauses[ended[interview][0]], end=_known(ended[interview][1])).items()
    }
    rows = standing.filter(not_voided(), probe__isnull=False).order_by("interview", "seq")
    return [
        AskedOnce(
            asked=str(pk),
            application=application,
            wording=Wording(tree, key, content),
            order=(interview, seq),
            day=made_at.date(),
            spent=spent[str(pk)],
        )
        for pk, application, interview, seq, made_at, tree, key, content in rows.values_list(
            "pk", "interview__application", "interview", "seq", "made_at",
            "probe__version__tree", "probe__key", "probe__content_hash",
        )
    ]  # fmt: skip


def _known(at: datetime | None) -> datetime:
    if at is None:
        raise ValueError("an ended interview has an end")
    return at


def load_heard(applications: Collection[int]) -> dict[str, list[Heard]]:
    """Return the marks of interviewers in their last independent revisions, by asking. Shadows are not counted."""
    last = last_independent(seat__interview__application__in=applications, seat__role__in=OWING)
    heard: dict[str, list[Heard]] = defaultdict(list)
    marks = RevisionMark.objects.unsealed_for_compiling().filter(revision__in=last.values())
    for asked, rater, outcome, aid in marks.values_list("asked", "seat__person", "outcome", "aid"):
        heard[str(asked)].append(
            Heard(str(asked), rater, Outcome(outcome) if outcome else None, Aid(aid) if aid else None)
        )
    return heard


def load_counted() -> dict[Wording, set[int]]:
    counted: dict[Wording, set[int]] = defaultdict(set)
    rows = CountedApplication.objects.values_list("tree", "probe_key", "content_hash", "application")
    for tree, key, content, application in rows:
        counted[Wording(tree, key, content)].add(application)
    return counted


def load_parents(trees: Iterable[int]) -> dict[int, dict[str, str | None]]:
    """Return {tree: {probe: the one above it, as the newest version has it}}."""
    found: dict[int, dict[str, str | None]] = {tree: {} for tree in trees}
    rows = Probe.objects.filter(version__tree__in=list(found)).order_by("version__number")
    for tree, key, parent in rows.values_list("version__tree", "key", "parent__key"):
        found[tree][key] = parent
    return found
