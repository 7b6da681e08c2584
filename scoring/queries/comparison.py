"""The candidates of a position side by side: each with the panel card that the reader may see, or none.

A constant number of queries however many there are. What is sealed is not fetched at all, and nothing of the order
comes from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, F, Func, JSONField, OuterRef, QuerySet, Subquery

from interviews.models import Application, Position
from interviews.queries.hiring import name_of
from interviews.queries.reach import applications_for
from interviews.sealed import all_in, readable_panel
from people.fields import words_in
from people.models import Person
from questionbank.enums import VersionState
from questionbank.models import PlanTree, Tree, TreeVersion
from scoring.models import PanelScorecard
from scoring.queries.panel import drawable_panels
from scoring.queries.titles import Words

# A draft's title is nobody's yet.
PUBLIC = (VersionState.PUBLISHED, VersionState.RETIRED)


@dataclass(frozen=True, slots=True)
class TreeColumn:
    """A tree to show the floors of, with its topic."""

    pk: int
    key: str
    words: Words
    topic: int
    topic_words: Words


@dataclass(frozen=True, slots=True)
class Brief:
    """What a comparison reads of a panel card: `content` without each rater's ratings and without evidence."""

    pk: int
    number: int
    compiled_at: datetime
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Compared:
    """One candidate. `readable`: the seal lets; `card` is None where it doesn't, or where nothing is compiled."""

    application: Application
    name: str
    readable: bool
    all_in: bool
    card: Brief | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`rows` in the order of application, which no judgement moves; `total` counts those not chosen too."""

    position: Position
    rows: Sequence[Compared]
    trees: Sequence[TreeColumn]
    total: int
    chosen: bool

    @property
    def sortable(self) -> bool:
        """Whether the reader may see every card there is among the rows: else an order would tell of the sealed."""
        return all(row.readable for row in self.rows)


class WithoutRatings(Func):
    """The parts of a panel card that a comparison reads. Cutting the rest off here is most of the time it takes."""

    template = (
        "(%(expressions)s - '{evidence,weak_spots,amendments,disagreements}'::text[]"
        " #- '{dimensions,depth,by_rater}' #- '{dimensions,why,by_rater}' #- '{dimensions,hands_on,by_rater}')"
    )
    output_field = JSONField()


def load_comparison(viewer: Person, position: Position, chosen: Collection[UUID] = ()) -> Comparison:
    """Load the position's candidates, or those `chosen` by the codes of their applications.

    `position` was fetched with the right to it. Codes that are none of its applications are passed over; where none of
    the chosen is one, all are loaded.
    """
    applications = list(_applications(viewer, position))
    picked = [application for application in applications if application.code in chosen] if chosen else []
    shown = picked or applications
    cards = load_briefs(viewer, shown)
    rows = [
        Compared(
            application=application,
            name=name_of(application.candidate),
            readable=application.readable,  # type: ignore[attr-defined]  # annotated
            all_in=application.all_in,  # type: ignore[attr-defined]
            card=cards.get(application.pk),
        )
        for application in shown
    ]
    return Comparison(
        position=position,
        rows=rows,
        trees=load_columns(position.plan_id, [row.card.content for row in rows if row.card]),
        total=len(applications),
        chosen=bool(picked),
    )


def _applications(viewer: Person, position: Position) -> QuerySet[Application]:
    rows = applications_for(viewer).filter(position=position).select_related("candidate__identity")
    return with_seal(rows, viewer).order_by("created_at", "pk")


def with_seal(rows: QuerySet[Application], viewer: Person) -> QuerySet[Application]:
    """Annotate applications with `readable` (the panel card, by this viewer), `all_in`, and `newest` (its id)."""
    newest = PanelScorecard.objects.filter(application=OuterRef("pk")).order_by("-number").values("pk")[:1]
    return rows.annotate(
        readable=ExpressionWrapper(readable_panel(viewer, ""), output_field=BooleanField()),
        all_in=ExpressionWrapper(all_in(""), output_field=BooleanField()),
        newest=Subquery(newest),
    )


def load_briefs(viewer: Person, applications: Iterable[Application]) -> dict[int, Brief]:
    """Return {application: newest panel card} where the seal lets `viewer`; the rows come from `with_seal`."""
    newest = [application.newest for application in applications if application.readable]  # type: ignore[attr-defined]
    cards = drawable_panels(viewer).filter(pk__in=newest)
    rows = cards.annotate(brief=WithoutRatings(F("content")))
    return {
        application: Brief(pk, number, compiled_at, brief)
        for application, pk, number, compiled_at, brief in rows.values_list(
            "application", "pk", "number", "compiled_at", "brief"
        )
    }


def load_columns(plan: int | None, contents: Iterable[Mapping[str, Any]]) -> list[TreeColumn]:
    """Return the trees of the plan, then those asked besides it, those of one topic together; three queries."""
    planned = list(PlanTree.objects.filter(plan=plan).values_list("tree", flat=True)) if plan else []
    found = dict.fromkeys(planned)
    found |= dict.fromkeys(
        tree["tree"] for content in contents for tree in content["trees"] if tree["asked"] or tree["raters"]
    )
    trees = Tree.objects.select_related("topic").in_bulk(found)
    heard_of = TreeVersion.objects.filter(tree__in=found, status__state__in=PUBLIC).order_by("number")
    titles = dict(heard_of.values_list("tree", "title"))
    topics = list(dict.fromkeys(trees[pk].topic_id for pk in found))
    return [
        TreeColumn(
            pk=pk,
            key=trees[pk].key,
            words=words_in(titles[pk]) if pk in titles else (trees[pk].key, "en"),
            topic=trees[pk].topic_id,
            topic_words=words_in(trees[pk].topic.title),
        )
        for pk in sorted(found, key=lambda pk: topics.index(trees[pk].topic_id))
    ]
