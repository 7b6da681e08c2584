"""Live rooms of five: key press to ack, commit to the others, what is lost; and a textbook room beside ours."""

from __future__ import annotations

import asyncio
import time
import uuid
from datetime import timedelta

import psutil
from django.db import connection
from django.test.utils import CaptureQueriesContext

from interviews.live.dispatch import carry_out
from tests.benchmarks.report import Report, percentile
from tests.benchmarks.room_load import Play, Result, Room, Rooms, missing
from tests.support.factories import seats_of
from tests.support.servers import process_environment
from tests.support.web import Web, running_web

ROOMS = 100
ACKED = (15.0, 60.0)  # ms, median and 99th percentile
TO_OTHERS = 25.0  # ms, 95th percentile
STATEMENTS, PYTHON = 4, 2.0  # of one mark; ms
CARRIES = 0.100  # s, 95th percentile of every delivery: what still counts as carrying
TIMES = 8
STEPS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
FIRST_STEP = 12  # rooms of the textbook


def run(report: Report) -> None:
    rooms = Rooms()
    cost_of_a_mark(report, rooms)
    seconds = 3 + 17 * min(1.0, report.scale)
    with running_web(process_environment(connection.settings_dict["NAME"])) as web:
        result = play(web, rooms.first(report.scaled(ROOMS, least=2)), seconds)
        tell(report, result)
    side_by_side(report, rooms)


def play(web: Web, rooms: list[Room], seconds: float, *, textbook: bool = False) -> Result:
    assert web.process is not None
    server = psutil.Process(web.process.pid)
    result = asyncio.run(Play(server, web.port, rooms, textbook=textbook).run(seconds))
    if not textbook:
        result.lost = missing(rooms)
    return result


def tell(report: Report, result: Result) -> None:
    report.figure("commands sent", result.sent)
    for rank, limit in ((50, ACKED[0]), (99, ACKED[1])):
        name = f"key press to acknowledged, p{rank} of {len(result.acked)}"
        report.figure(name, percentile(result.acked, rank) * 1000, "ms", limit=limit)
    report.percentiles("written to the others' sockets (commit in it)", result.after_commit, p95=TO_OTHERS)
    for name in ("refused", "lost", "disorder", "closed"):
        report.figure(name, getattr(result, name), limit=0)
    report.figure("processor of the web process, a command", result.processor / result.sent * 1000, "ms")
    report.figure("the generator itself was late, p99", percentile(result.late, 99) * 1000, "ms")


def cost_of_a_mark(report: Report, rooms: Rooms) -> None:
    """Statements and Python of one judgement, without sockets: SQL waits are not in it."""
    (room,) = rooms.first(1)
    lead, judge = seats_of(room.interview)[:2]
    asked = uuid.uuid4()
    carry_out(lead.pk, asked, "probe.ask", {"probe": "data-parallel/root"}, timedelta(0))
    version = iter(range(10_000))

    def mark() -> None:
        data = {"asked": str(asked), "outcome": "partial", "ratings": {"depth": 2}, "version": next(version)}
        carry_out(judge.pk, uuid.uuid4(), "mark.set", data, timedelta(0))

    for _ in range(20):
        mark()
    with CaptureQueriesContext(connection) as captured:
        mark()
    taken = []
    for _ in range(report.scaled(500, least=20)):
        start = time.thread_time()
        mark()
        taken.append(time.thread_time() - start)
    statements = sum(query["sql"] not in {"BEGIN", "COMMIT"} for query in captured)
    report.figure("statements of a mark, besides BEGIN and COMMIT", statements, limit=STATEMENTS)
    report.figure("Python of a mark, median", percentile(taken, 50) * 1000, "ms", limit=PYTHON)


def side_by_side(report: Report, rooms: Rooms) -> None:
    """How many rooms each carries, up one ladder: ours begins where eight times the textbook's rooms are."""
    seconds = 2 + 3 * min(1.0, report.scale)
    first, steps = (FIRST_STEP, STEPS) if report.scale > 0.05 else (1, STEPS[:1])
    base = _highest(report, "a textbook room", rooms, [round(first * step) for step in steps], seconds, textbook=True)
    base = max(base, 1)
    ours = _highest(report, "ours", rooms, [round(base * TIMES * step) for step in steps[:4]], seconds, textbook=False)
    report.figure("rooms that a textbook room carries", base)
    report.figure("rooms that ours carries", ours)
    # Stated as what is missing, since a figure is kept when it is small: 0 where ours carries eight times as many.
    report.figure(f"rooms missing to {TIMES} times as many", max(0, TIMES * base - ours), limit=0)


def _highest(report: Report, name: str, rooms: Rooms, steps: list[int], seconds: float, *, textbook: bool) -> int:
    carried = 0
    for number in steps:
        env = process_environment(connection.settings_dict["NAME"])
        application = "tests.benchmarks.textbook:application" if textbook else "config.asgi:application"
        if textbook:
            env["DATABASE_POOL"] = "0"
        made = rooms.first(number)
        with running_web(env, application) as web:
            result = play(web, made, seconds, textbook=textbook)
        p95 = percentile(result.delivered, 95) if result.delivered else float("inf")
        each = result.processor / max(1, result.sent) * 1000
        report.says(
            f"    {name}, {number} rooms: p95 {p95 * 1000:.0f} ms, lost {result.lost}, closed {result.closed}, "
            f"refused {result.refused} {sorted(result.codes)}, processor {each:.1f} ms a command"
        )
        if p95 > CARRIES or result.lost or result.closed or result.refused:
            break
        carried = number
    return carried
