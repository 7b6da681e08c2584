"""A bank of 20,000 probes: the first page of a search, short Chinese words, and what asks nearly the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from people.enums import PersonRole
from people.models import Person
from questionbank.models import Probe, ProbeText
from questionbank.queries.duplicates import near_duplicates
from questionbank.services.duplicates import compare_waiting
from tests.benchmarks.big_bank import FAMILY, GIVEN, SEARCHES, make_big_bank
from tests.benchmarks.report import Report, timed
from tests.support.web import session_of

PROBES = 20_000
FIRST_PAGE = 150.0  # ms at the server, 95th percentile
NEAR_DUPLICATE = 200.0  # ms, 95th percentile
MOST_QUERIES = 9


def run(report: Report) -> None:
    seconds = timed(lambda: make_big_bank(report.scaled(PROBES, least=100)))
    report.figure("texts of the bank", ProbeText.objects.count())
    report.figure("making it", seconds[0], "s")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    people = Person.objects.bulk_create(
        Person(email=f"{role}@sounding.example", name=role, roles=[role.value])
        for role in (PersonRole.CURATOR, PersonRole.INTERVIEWER)
    )
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        for person in people:
            first_page(report, person)
    short_words(report)
    near(report)


def first_page(report: Report, person: Person) -> None:
    client = Client(headers={"HX-Request": "true"})
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(person)
    counts = []
    taken = []
    for search in SEARCHES:
        url = f"/bank/?{search}"
        client.get(url)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(url).status_code == 200, search
        counts.append(len(captured))
        taken += timed(lambda url=url: client.get(url), report.scaled(10))
    report.percentiles(f"first page, {person.name}", taken, p95=FIRST_PAGE)
    report.figure(f"queries of any first page, {person.name}", max(counts), limit=MOST_QUERIES)


def short_words(report: Report) -> None:
    random = Random(7)  # noqa: S311 - the same words each time
    words = [random.choice(FAMILY) + random.choice(GIVEN) for _ in range(20)]
    by_gram = timed(lambda: [ProbeText.objects.filter(grams__contains=[word]).count() for word in words], 5)
    by_trigram = timed(lambda: [ProbeText.objects.filter(words__contains=word).count() for word in words], 2)
    report.figure("a Chinese word of two letters, by grams", min(by_gram) / len(words) * 1000, "ms")
    report.ratio("the same by trigrams takes", by_trigram, by_gram)


def near(report: Report) -> None:
    random = Random(11)  # noqa: S311 - the same prompts each time
    probes = list(Probe.objects.order_by("pk").values_list("prompt", flat=True))
    asked = [_reworded(prompt) for prompt in random.sample(probes, min(200, len(probes)))]
    taken = [seconds for prompt in asked for seconds in timed(lambda prompt=prompt: near_duplicates(prompt))]
    report.percentiles("what asks nearly the same, two languages", taken, p95=NEAR_DUPLICATE)
    found = sum(bool(near_duplicates(prompt)) for prompt in asked[:50])
    report.figure("of 50 reworded prompts are found", found)
    with without_index():
        slow = [seconds for prompt in asked[:5] for seconds in timed(lambda prompt=prompt: near_duplicates(prompt))]
    report.ratio("the same without the index takes", slow, taken)
    (seconds,) = timed(lambda: report.figure("probes compared with the bank", compare_waiting(10 * report.scale)))
    report.figure("comparing them took", seconds, "s")


def _reworded(prompt: dict[str, str]) -> dict[str, str]:
    return {"en": prompt["en"].replace("the ", "") + " Be brief.", "zh-Hans": "请说说" + prompt["zh-Hans"]}


@contextmanager
def without_index() -> Iterator[None]:
    """What the same question costs a bank that looks at every text."""
    with connection.cursor() as cursor:
        cursor.execute("SET enable_bitmapscan = off")
        try:
            yield
        finally:
            cursor.execute("RESET enable_bitmapscan")
