"""Live rooms of five: key press to ack, commit to the others, what is lost; and a textbook room beside ours.

The two do not do the same. The textbook sends every command to all five sockets, ours sends marks and notes, 28 of 30
commands, to their author alone, by design: nobody else may hear them. For that ours counts versions and streams, finds
repeats, asks rights, writes the judgement besides the event, draws HTML, and looks at heads and rights each second. Its
connections are kept; the textbook opens one a call, as Django's defaults have it. Each is one process on the same
two cores with the database, the bus and the load, and is asked the same commands at the same moments. A delivery is the
time from the key press until a socket hears of it, for the textbook's five as for ours.
"""

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
LADDER = (3, 6, 12, 18, 24, 36, 48, 72, 96)  # rooms of the textbook
NEVER = 60.0  # s: what stands for the time of what never came
SMALL = 0.05  # scales up to it are to see that the program runs
LATE = 0.015  # s: a generator that is later than this at the 99th percentile measured itself


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
    acked, after_commit = result.acked or [NEVER], result.after_commit or [NEVER]
    for rank, limit in ((50, ACKED[0]), (99, ACKED[1])):
        name = f"key press to acknowledged, p{rank} of {len(result.acked)}"
        report.figure(name, percentile(acked, rank) * 1000, "ms", limit=limit)
    report.percentiles("written to the others' sockets (commit in it)", after_commit, p95=TO_OTHERS)
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
    trips = [query["sql"] for query in captured if query["sql"] not in {"BEGIN", "COMMIT"}]
    statements = sum(len(text.split("; ")) for text in trips)
    report.figure("statements of a mark, besides BEGIN and COMMIT", statements, limit=STATEMENTS)
    report.figure("round trips that they take", len(trips))
    taken = []
    for _ in range(report.scaled(500, least=20)):
        start = time.thread_time()
        mark()
        taken.append(time.thread_time() - start)
    report.figure("Python of a mark, median", percentile(taken, 50) * 1000, "ms", limit=PYTHON)


def side_by_side(report: Report, rooms: Rooms) -> None:
    """How many rooms each carries: the textbook up a ladder, ours from eight times as many on, up or else down."""
    small = report.scale <= SMALL
    seconds = 2 + 3 * min(1.0, report.scale)
    base = 1
    for number in (1,) if small else LADDER:
        if not carries(report, rooms, number, seconds, textbook=True):
            break
        base = number
    ours = 0
    if carries(report, rooms, base * TIMES, seconds):
        ours = base * TIMES
        for number in () if small else (base * TIMES * 3 // 2, base * TIMES * 2):
            if not carries(report, rooms, number, seconds):
                break
            ours = number
    elif not small:
        less = (base * times for times in (TIMES * 3 // 4, TIMES // 2, TIMES // 4))
        ours = next((number for number in less if carries(report, rooms, number, seconds)), 0)
    report.figure("rooms that a textbook room carries", base)
    report.figure("rooms that ours carries", ours)
    # Said as what is missing, since a figure is kept when it is small.
    report.figure(f"rooms missing to {TIMES} times as many", max(0, TIMES * base - ours), limit=0)


def carries(report: Report, rooms: Rooms, number: int, seconds: float, *, textbook: bool = False) -> bool:
    """Whether so many rooms are carried, each server begun anew. A try that the generator spoiled is made again."""
    made = rooms.first(number)
    env = process_environment(connection.settings_dict["NAME"], DATABASE_POOL="0" if textbook else "1")
    application = "tests.benchmarks.textbook:application" if textbook else "config.asgi:application"
    for again in (True, False) if report.scale > SMALL else (False,):  # at a small scale no figure says anything
        with running_web(env, application) as web:
            result = play(web, made, seconds, textbook=textbook)
        p95 = percentile(result.delivered, 95) if result.delivered else float("inf")
        kept = p95 <= CARRIES and not (result.lost or result.closed or result.refused)
        late = percentile(result.late, 99)
        report.says(
            f"    {'textbook' if textbook else 'ours'}, {number} rooms: every delivery p95 {p95 * 1000:.0f} ms, "
            f"lost {result.lost}, closed {result.closed}, refused {result.refused}, "
            f"processor {result.processor / max(1, result.sent) * 1000:.1f} ms a command"
            + (f" (the generator was {late * 1000:.0f} ms late)" if late > LATE else "")
        )
        if kept or late <= LATE or not again:
            break
    return kept
