"""Finding in a bank of 20,000 probes: the first page of a search, and short Chinese words by grams and by trigrams."""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from people.enums import PersonRole
from people.models import Person
from questionbank.models import ProbeText
from tests.benchmarks.big_bank import make_big_bank
from tests.benchmarks.report import Report, timed
from tests.support.web import session_of

PROBES = 20_000
FIRST_PAGE = 150.0  # ms at the server, 95th percentile
SEARCHES = """
q=数据 q=索引 q=缓存 q=锁 q=数据并行 q=负载均衡器 q=滚动升级期间 q=nc q=a q=kv q=the q=deadlock q=nccl+bottleneck
q=canary+release+production q=write+ampl q=LoRA+适配器 q=nothing+like+this q=数据&level=2 q=index&aim=why
q=cache&topic=topic-3 q=队列&aim=depth q=raft&used=year q=kernel&owner=nobody q=bottleneck&plan=plan-2 topic=topic-7
level=3&aim=why language=zh-Hans used=never
""".split()
TWO_LETTERS = ["数据", "索引", "队列", "死锁", "缓存"]


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
    grams_against_trigrams(report)


def first_page(report: Report, person: Person) -> None:
    client = Client(headers={"HX-Request": "true"})
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(person)
    counts = set()
    taken = []
    for search in SEARCHES:
        ask = lambda search=search: client.get(f"/bank/?{search}")  # noqa: E731
        assert ask().status_code == 200, search
        with CaptureQueriesContext(connection) as captured:
            ask()
        counts.add(len(captured))
        taken += timed(ask, 10)
    report.percentiles(f"first page, {person.name}", taken, p95=FIRST_PAGE)
    # A search that finds nothing has no signals to fetch.
    report.figure(f"queries of it, {person.name}", max(counts), "at most", limit=14)
    report.figure(f"numbers of queries that differ, {person.name}", len(counts), limit=2)


def grams_against_trigrams(report: Report) -> None:
    by_gram = [ProbeText.objects.filter(grams__contains=[word]) for word in TWO_LETTERS]
    by_trigram = [ProbeText.objects.filter(words__contains=word) for word in TWO_LETTERS]
    grams = timed(lambda: [len(found.values_list("pk")[:25]) for found in by_gram], 10)
    trigrams = timed(lambda: [len(found.values_list("pk")[:25]) for found in by_trigram], 3)
    report.ratio("a Chinese word of two letters: trigrams against grams", trigrams, grams)
