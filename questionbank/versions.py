"""Reads about versions on their way: who wrote them, who may review them, what was done and said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, Q, QuerySet

from people.models import Person
from questionbank.enums import ReviewStepKind, VersionState
from questionbank.models import BankRules, ReviewComment, ReviewStep, Tree, TreeVersion, VersionAuthor
from questionbank.rules import OPEN_STATES, UNPUBLISHED, WRITERS, may_write

# What everybody may know of a version that they may read; how its review went is between curators.
TOLD_TO_READERS = (ReviewStepKind.PUBLISHED, ReviewStepKind.PUBLISHED_UNREVIEWED, ReviewStepKind.RETIRED)


# --- who may review


def own_review_allowed() -> bool:
    return BankRules.objects.filter(own_review=True).exists()


def is_author(version: TreeVersion, person: Person) -> bool:
    """Whether this person wrote on the version, or began it."""
    return version.created_by_id == person.pk or version.authors.filter(person=person).exists()


def reviewers_for(version: TreeVersion) -> list[Person]:
    """Return who may review this version, by name: active curators and administrators who did not write on it."""
    people = Person.objects.filter(roles__overlap=sorted(WRITERS), is_active=True).order_by("name", "pk")
    if own_review_allowed():
        return list(people)
    authors = Q(pk__in=VersionAuthor.objects.filter(version=version).values("person"))
    return list(people.exclude(authors | Q(pk=version.created_by_id or 0)))


# --- what was done


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version in the history of its tree: who wrote on it, and its steps in order."""

    version: TreeVersion
    authors: Sequence[Person]
    steps: Sequence[ReviewStep]


def history(person: Person, tree: Tree) -> list[VersionLine]:
    """Return the versions of a tree that the person may read, newest first, in three queries."""
    versions = TreeVersion.objects.filter(tree=tree).select_related("status", "created_by", "tree").order_by("-number")
    steps = ReviewStep.objects.select_related("by", "reviewer").order_by("pk")
    if not may_write(person.roles):
        versions = versions.filter(status__state__in=[state.value for state in OPEN_STATES])
        steps = steps.filter(kind__in=TOLD_TO_READERS)
    authors = VersionAuthor.objects.select_related("person").order_by("pk")
    found = versions.prefetch_related(Prefetch("steps", queryset=steps), Prefetch("authors", queryset=authors))
    return [
        VersionLine(version, [author.person for author in version.authors.all()], list(version.steps.all()))
        for version in found
    ]


def last_return(version: TreeVersion) -> ReviewStep | None:
    """Return the step by which a draft came back from its reviewer, until it is sent again."""
    last = version.steps.select_related("by").order_by("-pk").first()
    return last if last and last.kind == ReviewStepKind.RETURNED else None


def before(version: TreeVersion) -> TreeVersion | None:
    """Return what the version is read against: the newest published or retired one with a lower number."""
    published = TreeVersion.objects.filter(tree=version.tree_id, number__lt=version.number)
    states = [state.value for state in OPEN_STATES]
    newest = published.filter(status__state__in=states).select_related("tree__topic", "status").order_by("-number")
    return newest.first()


# --- what was said


def comments_on(version: TreeVersion) -> QuerySet[ReviewComment]:
    return version.comments.select_related("author", "resolved_by").order_by("pk")


def awaiting(person: Person) -> QuerySet[TreeVersion]:
    """Return the versions that wait for this person's review."""
    waiting = TreeVersion.objects.filter(status__reviewer=person, status__state=VersionState.IN_REVIEW)
    return waiting.select_related("tree", "status").order_by("pk")


def open_number(versions: Sequence[TreeVersion]) -> int | None:
    """Return the number of the version among these that isn't published yet, the newest where there are several."""
    return next((one.number for one in versions if one.status.state in UNPUBLISHED), None)
