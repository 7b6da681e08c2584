"""The timeline of an interview of 200 questions, judged by three with a note and evidence on each, all readable."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from interviews.enums import EvidenceType, InterviewStatus
from interviews.models import Seat
from tests.benchmarks.report import Report, timed
from tests.cast import make_cast
from tests.support.factories import Scene, make_scene
from tests.support.judging import ask, end, hear, judge, note
from tests.support.pages import as_

QUESTIONS = 200
PAGE = 300.0  # ms at the server, 95th percentile
WORDS = "Corrected the factor alone, then counted the bytes on the slowest link before answering."


def run(report: Report) -> None:
    scene = make_long_scene(report.scaled(QUESTIONS, least=3))
    address = f"/interviews/{scene.interview.code}/timeline"
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        reader = as_(scene.cast.mara)
        for name, url in (("page", f"{address}/"), ("JSON", f"{address}.json"), ("table", f"{address}.csv")):
            reader.get(url)  # what a process reads once of pinned trees
            with CaptureQueriesContext(connection) as captured:
                assert reader.get(url).status_code == 200, url
            report.figure(f"{name}: queries", len(captured))
            taken = timed(lambda url=url: reader.get(url), report.scaled(20))  # type: ignore[misc]
            report.percentiles(name, taken, p95=PAGE)


def make_long_scene(questions: int, *, submitted: bool = True) -> Scene:
    """Three judge as many questions of four trees; `submitted`: their cards are marked as in, without revisions."""
    scene = make_scene(make_cast(), status=InterviewStatus.LIVE, trees=("a", "b", "c", "d"))
    raters = (scene.ana, scene.bo, scene.chen)
    for number in range(questions):
        asked = ask(scene.ana, scene.probe(("root", "l2", "l3")[number % 3], number % 4))
        for seat in raters:
            judge(seat, asked, depth=3)
            note(seat, WORDS, asked)
            hear(seat, asked, EvidenceType.BUILT, "Eight cards")
    end(scene.interview)
    if submitted:
        Seat.objects.filter(pk__in=[seat.pk for seat in raters]).update(card_submitted_at=timezone.now())
    return scene
