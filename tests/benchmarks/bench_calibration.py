"""Every page that calibration has, over the simulated organisation: 40 interviewers and 300 candidates."""

from __future__ import annotations

from time import process_time

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from interviews.models import Application, Position
from people.enums import PersonRole
from people.models import Person
from questionbank.models import ProbeFigures
from scoring.demo.organisation import FEWEST, load_organisation
from scoring.demo.simulated import Size
from tests.benchmarks.report import Report, timed
from tests.support.pages import as_

PAGE = 300.0  # ms at the server, 95th percentile
TIMES = 20


def run(report: Report) -> None:
    usual = Size()
    size = Size(
        interviewers=report.scaled(usual.interviewers, least=FEWEST.interviewers),
        candidates=report.scaled(usual.candidates, least=FEWEST.candidates),
    )
    before = process_time()
    loaded = load_organisation(size)
    report.figure("ratings", loaded.ratings)
    report.figure("loading, CPU s", round(process_time() - before, 1))
    manager = Person.objects.get(email="manager@simulated.example")
    curator = Person.objects.create(email="curator@bench.example", name="Cora", roles=[PersonRole.CURATOR])
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        for name, reader, address in _pages(as_(manager), as_(curator)):
            reader.get(address)  # what is written down once
            with CaptureQueriesContext(connection) as captured:
                assert reader.get(address).status_code == 200, address
            report.figure(f"{name}: queries", len(captured))
            times = report.scaled(TIMES)
            before = process_time()
            taken = timed(lambda: reader.get(address), times)  # noqa: B023 - called at once
            report.figure(f"{name}: CPU", (process_time() - before) / times * 1000, "ms")
            report.percentiles(name, taken, p95=PAGE)


def _pages(manager: Client, curator: Client) -> list[tuple[str, Client, str]]:
    position = Position.objects.order_by("pk")[0]
    application = Application.objects.filter(position=position).order_by("pk")[0]
    person = Person.objects.get(email="interviewer01@simulated.example")
    figures = ProbeFigures.objects.select_related("tree").first()
    panel, compare = f"/applications/{application.code}/panel/", f"/positions/{position.code}/compare/"
    return [
        ("calibration", manager, "/calibration/"),
        ("interviewers", manager, "/interviewers/"),
        ("interviewer", manager, f"/interviewers/{person.code}/"),
        ("bank health", curator, "/bank/health/"),
        *([("tree health", curator, f"/bank/trees/{figures.tree.key}/health/")] if figures else []),
        ("panel", manager, panel),
        ("panel, raw", manager, f"{panel}?values=raw"),
        ("compare", manager, compare),
        ("compare, raw", manager, f"{compare}?values=raw"),
    ]
