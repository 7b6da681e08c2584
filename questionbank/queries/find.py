"""Finding probes: by words in any language, and by what they are. A reader finds in what they may read, no more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import connection
from django.db.models import Case, Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Value, When, Window
from django.utils import timezone

from people.models import Person
from questionbank.enums import LastUsed, VersionState
from questionbank.folding import is_gram, terms_of
from questionbank.models import Plan, Probe, ProbeFigures, ProbeText, Topic, TreeVersion
from questionbank.ordering import english_first
from questionbank.queries import bank_for, bank_in

PER_PAGE = 25
NOBODY = "nobody"
"""As an owner: trees that nobody looks after."""
DAYS = {LastUsed.QUARTER: 92, LastUsed.YEAR: 366, LastUsed.NOT_YEAR: 366}


@dataclass(frozen=True, slots=True)
class Search:
    """What somebody looks for; "" and None ask for nothing. `topic` and `plan` are keys, `owner` a code or NOBODY."""

    q: str = ""
    topic: str = ""
    aim: str = ""
    level: int | None = None
    state: str = ""
    language: str = ""
    plan: str = ""
    owner: str = ""
    used: str = ""

    @property
    def terms(self) -> tuple[str, ...]:
        return terms_of(self.q)

    @property
    def asks(self) -> bool:
        """Whether anything is looked for at all: without, the bank is shown by topic."""
        return bool(self.terms) or any(
            (self.topic, self.aim, self.level, self.state, self.language, self.plan, self.owner, self.used)
        )


@dataclass(frozen=True, slots=True)
class Found:
    """One page of what was found, best first; `total` counts all of it. Probes have tree, topic, state and signals."""

    probes: tuple[Probe, ...]
    total: int
    page: int

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // PER_PAGE))


def find(person: Person, search: Search, page: int = 1) -> Found:
    """Return a page of probes, in two queries (a third for the signals): first those whose title or prompt says every
    word, then those whose signals do, each in the order of the bank.

    A page beyond the last gives the last. Raises PermissionDenied for people without the bank.
    """
    versions = bank_in(person, VersionState(search.state)) if search.state else bank_for(person)
    matches = _matches(_trees(versions, search), search)
    rows = list(_page(matches, page))
    if not rows and page > 1:
        page = max(1, -(-matches.count() // PER_PAGE))
        rows = list(_page(matches, page))
    order = {row["found"]: place for place, row in enumerate(rows)}
    probes = (
        Probe.objects.filter(pk__in=order)
        .select_related("version__tree__topic", "version__status")
        .prefetch_related("signals")
    )
    ordered = tuple(sorted(probes, key=lambda probe: order[probe.pk]))
    return Found(ordered, rows[0]["total"] if rows else 0, page)


def _page(matches: QuerySet[Any, Any], page: int) -> QuerySet[Any, Any]:
    # The window counts the groups before the page is cut out: a second query would look everything up again.
    counted: QuerySet[Any, Any] = matches.annotate(total=Window(Count("*")))
    return counted[(page - 1) * PER_PAGE : page * PER_PAGE]


# --- what is asked for


def _trees(versions: QuerySet[TreeVersion], search: Search) -> QuerySet[TreeVersion]:
    wanted: dict[str, Any] = {}
    if search.topic:
        wanted["tree__topic__key"] = search.topic
    if search.plan:
        wanted["tree__in"] = Plan.objects.filter(key=search.plan).values("entries__tree")
    if search.owner == NOBODY:
        wanted["tree__owner__isnull"] = True
    elif search.owner:
        wanted["tree__owner__code"] = search.owner
    return versions.filter(**wanted)


def _matches(versions: QuerySet[TreeVersion], search: Search) -> QuerySet[Any, Any]:
    """Return {found: a probe's id, rank: ...} of all that is asked for, in order.

    Looked up in the texts where words are asked for, else in the probes: `to` is the way from there to the probe.
    """
    shown = versions.order_by().values("pk")
    rows: QuerySet[Any, Any]
    rank: Any = Value(1)
    if terms := search.terms:
        to, found = "probe__", "probe"
        rows = ProbeText.objects.filter(_finds(terms))
        rank = Case(When(_says("prompt", terms), then=Value(2)), default=Value(1), output_field=IntegerField())
    else:
        to, found = "", "pk"
        rows = Probe.objects.all()
    tree = f"{to}version__tree__"
    order = (f"{tree}topic__position", f"{tree}topic__key", f"{tree}position", f"{tree}key", f"{to}position")
    wanted = rows.filter(Q(**{f"{to}version__in": shown}) & _wanted(search, to)).order_by()
    ranked: QuerySet[Any, Any] = wanted.values(*order, found=F(found)).annotate(rank=Max(rank))
    return ranked.order_by("-rank", *order, "found")


def _wanted(search: Search, to: str) -> Q:
    wanted = Q()
    if search.aim:
        wanted &= Q(**{f"{to}aims__contains": [search.aim]})
    if search.level is not None:
        wanted &= Q(**{f"{to}level": search.level})
    if search.language:
        wanted &= Q(**{f"{to}prompt__has_key": search.language})
    if search.used:
        wanted &= _used(LastUsed(search.used), to, timezone.localdate())
    return wanted


def _used(when: LastUsed, to: str, today: date) -> Q:
    figures = ProbeFigures.objects.filter(tree=OuterRef(f"{to}version__tree"), probe_key=OuterRef(f"{to}key"))
    if when is LastUsed.NEVER:
        return ~Q(Exists(figures.filter(last_used_on__isnull=False)))
    lately = Q(Exists(figures.filter(last_used_on__gte=today - timedelta(days=DAYS[when]))))
    return ~lately if when is LastUsed.NOT_YEAR else lately


def _finds(terms: Iterable[str]) -> Q:
    """One text says every term: the short ones by grams, the others by trigrams."""
    terms = tuple(terms)
    found = Q()
    if grams := [term for term in terms if is_gram(term)]:
        found &= Q(grams__contains=grams)
    return found & _says("words", [term for term in terms if not is_gram(term)])


def _says(column: str, terms: Iterable[str]) -> Q:
    said = Q()
    for term in terms:
        said &= Q(**{f"{column}__contains": term})
    return said


# --- what can be asked for


@dataclass(frozen=True, slots=True)
class Choices:
    """What the filters offer this reader: nothing that leads to what they may not read."""

    topics: tuple[Topic, ...]
    plans: tuple[Plan, ...]
    owners: tuple[Person, ...]
    languages: tuple[str, ...]


def choices(person: Person) -> Choices:
    """Return what there is to filter by, in four queries."""
    shown = bank_for(person).order_by()
    owners = Person.objects.filter(Exists(shown.filter(tree__owner=OuterRef("pk"))))
    return Choices(
        topics=tuple(Topic.objects.filter(Exists(shown.filter(tree__topic=OuterRef("pk"))))),
        plans=tuple(Plan.objects.order_by("name", "key")),
        owners=tuple(owners.order_by("name", "pk")),
        languages=tuple(_languages(shown)),
    )


# From one language to the next by index, and of each one text that is shown: not through every text of the bank.
LANGUAGES = """
WITH RECURSIVE tag AS (
    SELECT min(language) AS language FROM questionbank_probetext
    UNION ALL
    SELECT (SELECT min(language) FROM questionbank_probetext WHERE language > tag.language) FROM tag
    WHERE tag.language IS NOT NULL
)
SELECT language FROM tag WHERE language IS NOT NULL AND EXISTS (
    SELECT 1 FROM questionbank_probetext t JOIN questionbank_probe p ON p.id = t.probe_id
    WHERE t.language = tag.language AND p.version_id IN ({shown})
)
"""


def _languages(shown: QuerySet[TreeVersion]) -> list[str]:
    versions, values = shown.values("pk").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(LANGUAGES.format(shown=versions), values)
        tags = [tag for (tag,) in cursor.fetchall()]
    return sorted(tags, key=english_first)
