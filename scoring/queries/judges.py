"""Automatic judges: who may look after which, what they said of an application, and where it counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404

from interviews.enums import Aim
from interviews.models import Application
from interviews.queries.links import token_hash
from interviews.sealed import may_read_panel
from people.models import Person
from scoring.models import Judge, JudgeRating, JudgeTerms
from scoring.queries.cards import Sealed, application_for
from scoring.queries.revisions import AskedProbe, load_asked
from scoring.queries.runs import newest_run
from scoring.queries.titles import Titles, Words, load_titles
from scoring.rules.aside import JudgedIn


def judges_for(viewer: Person) -> QuerySet[Judge]:
    """The judges the viewer looks after: administrators all, managers those they made."""
    rows = Judge.objects.select_related("created_by")
    if viewer.is_administrator:
        return rows
    return rows.filter(created_by=viewer) if viewer.is_manager else rows.none()


def judge_for(viewer: Person, code: UUID) -> Judge:
    """Fetch a judge that the viewer looks after; to others it does not exist."""
    found = judges_for(viewer).filter(code=code).first()
    if found is None:
        raise Http404
    return found


def judge_by_token(token: str) -> Judge | None:
    """Return the judge whose token this is, as long as it and who made it are here."""
    rows = Judge.objects.filter(closed_at__isnull=True, created_by__is_active=True)
    return rows.filter(token_hash=token_hash(token)).first()


def figures_of_judge(judge: Judge) -> dict[str, Any] | None:
    """What the newest run says of a judge: severity and fit. None before five applications of its."""
    run = newest_run()
    if run is None:
        return None
    counted, aside = run.content.get("judges", ()), run.content.get("second_step", {}).get("judges", ())
    rows = {row["id"]: row for row in (*counted, *aside)}
    return rows.get(str(judge.pk))


# --- where they count -------------------------------------------------------------------------------------------------


def counts_in(position: int) -> bool:
    return JudgeTerms.objects.filter(position=position, counts=True).exists()


def counting_applications(applications: Collection[int]) -> set[int]:
    """Of these applications, those whose position lets judges count."""
    counting = JudgeTerms.objects.filter(position=OuterRef("position"), counts=True)
    return set(Application.objects.filter(Exists(counting), pk__in=applications).values_list("pk", flat=True))


def load_judged(applications: Collection[int]) -> dict[int, list[JudgedIn]]:
    """Return what judges said of these applications, for calibrating; one query."""
    rows = JudgeRating.objects.unsealed_for_compiling().filter(application__in=applications).order_by("pk")
    return _by_application(rows)


def load_counting(application: int) -> list[JudgedIn]:
    """Return what judges said of an application whose position lets that count, else nothing; one query."""
    counting = JudgeTerms.objects.filter(position=OuterRef("application__position"), counts=True)
    rows = JudgeRating.objects.unsealed_for_compiling().filter(Exists(counting), application=application)
    return _by_application(rows.order_by("pk")).get(application, [])


def _by_application(rows: QuerySet[JudgeRating]) -> dict[int, list[JudgedIn]]:
    found: dict[int, list[JudgedIn]] = defaultdict(list)
    for pk, application, judge, asked, aim, rating in rows.values_list(
        "pk", "application", "judge", "asked", "aim", "rating"
    ):
        found[application].append(JudgedIn(pk, judge, str(asked), Aim(aim), rating))
    return dict(found)


# --- for pages --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """One answer by one judge: its ratings by dimension, and what it noted; None for notes that are erased."""

    tree: Words
    probe: Words
    judge: Judge
    ratings: dict[str, int]
    notes: list[str | None]


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """What judges said of an application, answer by answer as asked. `counts`: in the calibrated values."""

    application: Application
    rows: Sequence[JudgedRow]
    counts: bool


def judged_for(viewer: Person, code: UUID) -> JudgedPage:
    """Fetch what judges said, for whom the seal lets read figures over the panel: 404 for strangers, 403 for others."""
    application = application_for(viewer, code)
    if not may_read_panel(viewer, application):
        raise Sealed
    ratings = JudgeRating.objects.visible_to(viewer).filter(application=application).select_related("judge", "text")
    by_answer: dict[tuple[str, int], list[JudgeRating]] = defaultdict(list)
    for one in ratings.order_by("asked__interview", "asked__seq", "judge", "pk"):
        by_answer[str(one.asked_id), one.judge_id].append(one)
    interviews = list(application.interviews.values_list("pk", flat=True))
    asked = load_asked(interviews, standing=False)
    titles = load_titles(interviews, asked=asked, trees=())
    rows = [_row(asked[key], titles, said) for (key, _judge), said in by_answer.items()]
    return JudgedPage(application, rows, counts_in(application.position_id))


def _row(probe: AskedProbe, titles: Titles, said: Sequence[JudgeRating]) -> JudgedRow:
    return JudgedRow(
        tree=titles.trees.get(probe.tree, ("", "en")),
        probe=titles.probe(probe.tree, probe.probe),
        judge=said[0].judge,
        ratings={one.aim: one.rating for one in said},
        notes=[one.text.body for one in said if one.text is not None],
    )


@dataclass(frozen=True, slots=True)
class Heard:
    """The automatic judges that rated an application, by name and version, and whether that counts."""

    judges: tuple[str, ...]
    counts: bool


def judges_heard(viewer: Person, application: Application) -> Heard | None:
    """Name the judges that rated an application, if the viewer may read what they said; one query."""
    counting = JudgeTerms.objects.filter(position=OuterRef("application__position"), counts=True)
    rows = JudgeRating.objects.visible_to(viewer).filter(application=application).annotate(counts=Exists(counting))
    found = sorted(set(rows.values_list("judge__name", "judge__version", "counts")))
    if not found:
        return None
    return Heard(tuple(f"{name} {version}" for name, version, _counts in found), any(counts for *_, counts in found))
