"""A position's candidates side by side: 200 of them, each with a panel card of thirty questions by three."""

from __future__ import annotations

import gc
from time import process_time

from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings

from scoring.services.panels import compile_application
from tests.benchmarks.bench_timeline import make_long_scene
from tests.benchmarks.report import Report, timed
from tests.support.compared import calibrate, copy_card
from tests.support.judging import submit
from tests.support.pages import as_

CANDIDATES, QUESTIONS = 200, 30
PAGE = 300.0  # ms at the server, 95th percentile


def run(report: Report) -> None:
    scene = make_long_scene(QUESTIONS, submitted=False)
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    compile_application(scene.application.pk)
    calibrate(scene.application, depth=(3.0, 2.6, 3.4), why=(2.4, 1.8, 3.0), hands_on=(2.8, 2.2, 3.3))
    copy_card(scene.application, scene.position, report.scaled(CANDIDATES, least=3) - 1)
    address = f"/positions/{scene.position.code}/compare/"
    three = "&".join(f"c={row.code}" for row in scene.position.applications.all()[:3])
    # As config.asgi does: what is loaded is looked through no more, or one page in ten waits for it.
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        reader = as_(scene.cast.mara)
        for name, url in (
            ("all", address),
            ("all, sorted", f"{address}?order=-depth"),
            ("all, JSON", f"{address}?format=json"),
            ("three", f"{address}?{three}"),
        ):
            reader.get(url)  # what is written down once
            with CaptureQueriesContext(connection) as captured:
                assert reader.get(url).status_code == 200, url
            report.figure(f"{name}: queries", len(captured))
            before = process_time()
            taken = timed(lambda url=url: reader.get(url), report.scaled(20))  # type: ignore[misc]
            report.percentiles(name, taken, p95=PAGE)
            # Without the database and without waiting: what is the page's own, on a busy machine too.
            report.figure(f"{name}: CPU of this process", (process_time() - before) / len(taken) * 1000, "ms")
