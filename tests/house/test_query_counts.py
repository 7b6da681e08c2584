"""How many queries each page takes: the same literal number for one row and for three of whatever it lists."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from interviews import log
from interviews.live import frames
from tests.cast import Cast
from tests.house.acting import do
from tests.house.grown import grow, talk_over
from tests.house.people import client_of
from tests.house.routes import ROUTES
from tests.support.factories import Scene, make_scene

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("printed_as_html")]

# (address, who asks): queries, with the two of every signed-in request (session, person) in it.
COSTS: dict[tuple[str, str], int] = {
    ("", "mara"): 11,
    ("", "ana"): 6,
    ("", "ada"): 12,
    ("", "cora"): 6,
    ("people/", "ada"): 3,
    ("people/new/", "ada"): 2,
    ("people/<uuid:code>/", "ada"): 3,
    ("preferences/", "mara"): 2,
    ("interviews/keys/", "mara"): 2,
    ("accounts/login/", "kim"): 1,
    ("accounts/logout/", "mara"): 2,
    ("accounts/inactive/", "mara"): 2,
    ("accounts/signup/", "kim"): 1,
    ("accounts/password/change/", "mara"): 2,
    ("accounts/password/reset/", "mara"): 2,
    ("accounts/password/reset/done/", "mara"): 2,
    ("accounts/password/reset/key/done/", "mara"): 2,
    ("accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$", "mara"): 3,
    ("bank/", "mara"): 11,
    ("bank/trees/<slug:key>/", "mara"): 7,
    ("bank/trees/<slug:key>/v<int:number>/", "mara"): 7,
    ("bank/trees/<slug:key>/probes/<slug:probe>/", "mara"): 7,
    ("bank/trees/<slug:key>/v<int:number>/probes/<slug:probe>/", "mara"): 7,
    ("bank/new/", "ada"): 3,
    ("bank/trees/<slug:key>/v<int:number>/send/", "ada"): 9,
    ("bank/trees/<slug:key>/v<int:number>/review/", "ada"): 9,
    ("bank/trees/<slug:key>/v<int:number>/return/", "ada"): 3,
    ("bank/trees/<slug:key>/v<int:number>/retire/", "ada"): 4,
    ("bank/trees/<slug:key>/history/", "mara"): 6,
    ("bank/trees/<slug:key>/compare/<int:old>/<int:new>/", "mara"): 11,
    ("bank/plans/", "mara"): 6,
    ("bank/plans/new/", "ada"): 3,
    ("bank/plans/<slug:key>/", "mara"): 6,
    ("bank/plans/<slug:key>/edit/", "ada"): 6,
    ("bank/rules/", "ada"): 3,
    ("bank/trees/<slug:key>/health/", "ada"): 8,
    ("bank/trees/<slug:key>/v<int:number>/walk/", "mara"): 6,
    ("bank/trees/<slug:key>/v<int:number>/edit/probes/<slug:probe>/", "ada"): 8,
    ("bank/trees/<slug:key>/v<int:number>/edit/findings/", "ada"): 7,
    ("bank/health/", "ada"): 5,
    ("bank/suggestions/", "ada"): 6,
    ("bank/suggestions/<uuid:code>/", "ada"): 5,
    ("bank/trees/<slug:key>/owner/", "ada"): 4,
    ("bank/duplicates/", "ada"): 7,
    ("bank/merge/", "ada"): 2,
    ("bank/trees/<slug:key>/file/", "mara"): 6,
    ("bank/trees/<slug:key>/v<int:number>/file/", "mara"): 6,
    ("bank/export/", "mara"): 6,
    ("bank/export/probes/", "mara"): 6,
    ("bank/imports/", "ada"): 3,
    ("bank/imports/<uuid:code>/", "cora"): 4,
    ("bank/imports/<uuid:code>/progress/", "cora"): 3,
    ("bank/imports/<uuid:code>/all/<slug:part>/", "cora"): 3,
    ("bank/imports/<uuid:code>/columns/", "cora"): 3,
    ("positions/", "mara"): 3,
    ("positions/new/", "mara"): 5,
    ("positions/<uuid:code>/", "mara"): 7,
    ("positions/<uuid:code>/edit/", "mara"): 8,
    ("positions/<uuid:position>/applications/new/", "mara"): 5,
    ("applications/<uuid:code>/", "mara"): 9,
    ("applications/<uuid:code>/edit/", "mara"): 7,
    ("applications/<uuid:application>/interviews/new/", "mara"): 10,
    ("attachments/<uuid:code>/", "mara"): 4,
    ("interviews/", "mara"): 5,
    ("interviews/", "ana"): 4,
    ("interviews/", "ada"): 5,
    ("interviews/", "cora"): 4,
    ("interviews/sw.js", "mara"): 2,
    ("interviews/settled/", "mara"): 2,
    ("interviews/<uuid:code>/", "mara"): 10,
    ("interviews/<uuid:code>/", "ana"): 5,
    ("interviews/<uuid:code>/", "ada"): 10,
    ("interviews/<uuid:code>/prepare/", "mara"): 10,
    ("interviews/<uuid:code>/prepare/", "ana"): 9,
    ("interviews/<uuid:code>/prepare/", "ada"): 10,
    ("interviews/<uuid:code>/room/", "ana"): 20,
    ("interviews/<uuid:code>/room/controls/", "ana"): 8,
    ("interviews/<uuid:code>/timeline/", "mara"): 16,
    ("interviews/<uuid:code>/timeline/", "ana"): 16,
    ("interviews/<uuid:code>/timeline/", "ada"): 16,
    ("interviews/<uuid:code>/timeline.csv", "mara"): 16,
    ("interviews/<uuid:code>/timeline.json", "mara"): 17,
    ("interviews/<uuid:code>/room/hint/", "ana"): 10,
    ("interviews/<uuid:code>/move/", "mara"): 3,
    ("interviews/<uuid:code>/askers/", "mara"): 6,
    ("interviews/<uuid:code>/cancel/", "mara"): 3,
    ("interviews/<uuid:code>/no-show/", "mara"): 3,
    ("interviews/<uuid:code>/seats/", "mara"): 8,
    ("seats/<uuid:code>/replace/", "mara"): 5,
    ("seats/<uuid:code>/excuse/", "mara"): 3,
    ("c/room/<uuid:code>/", "kim"): 9,
    ("c/<str:token>/", "mara"): 3,
    ("applications/<uuid:code>/panel/", "mara"): 12,
    ("applications/<uuid:code>/panel/open-early/", "mara"): 8,
    ("positions/<uuid:code>/compare/", "mara"): 9,
    ("positions/<uuid:code>/marks.csv", "mara"): 8,
    ("candidates/<uuid:code>/", "mara"): 7,
    ("candidates/<uuid:code>/", "ana"): 7,
    ("candidates/<uuid:code>/", "ada"): 7,
    ("scoring:candidate, all in", "mara"): 12,
    ("scoring:candidate, all in", "ana"): 12,
    ("positions/<uuid:code>/voids/", "mara"): 5,
    ("positions/<uuid:code>/second-markings/", "mara"): 6,
    ("positions/<uuid:code>/norming/", "mara"): 6,
    ("judges/", "mara"): 3,
    ("judges/<uuid:code>/", "mara"): 4,
    ("positions/<uuid:code>/judges/", "mara"): 4,
    ("norming/", "ana"): 4,
    ("calibration/", "mara"): 3,
    ("interviewers/", "mara"): 3,
    ("interviewers/<uuid:code>/", "mara"): 4,
    ("scoring:card, all in", "ana"): 23,
    ("scoring:card, all in", "mara"): 24,
    ("scoring:panel, all in", "mara"): 19,
    ("scoring:panel-pdf, all in", "mara"): 20,
    ("scoring:letter, all in", "mara"): 17,
    ("scoring:letter-text, all in", "mara"): 17,
    ("interviews:application-detail, all in", "mara"): 9,
    ("interviews:timeline, all in", "mara"): 17,
    ("applications/<uuid:code>/ledger/", "mara"): 20,
    ("scoring:debrief, decided", "mara"): 24,
    ("scoring:ledger, decided", "mara"): 21,
    ("scoring:debrief, decided, JSON", "mara"): 22,
    ("scoring:ledger, decided, JSON", "mara"): 21,
}

# Managers and panel see these pages, and not the same of them.
BOTH = {
    "people:home",
    "interviews:interview-list",
    "interviews:interview-detail",
    "interviews:preparation",
    "interviews:timeline",
    "scoring:candidate",
}
READERS = ("mara", "ana", "ada", "kim", "anon", "cora")


def costs(cast: Cast, n: int) -> dict[tuple[str, str], int]:
    live, done = grow(cast, n)
    counted = {}
    for route in ROUTES:
        readers = [who for who in READERS if route.answers.get("GET", {}).get(who) == 200]
        for who in readers if route.name in BOTH else readers[:1]:
            counted[route.pattern, who] = _queries(live, who, route.url(live))
    for name, who, kwargs in (
        ("scoring:card", "ana", {"seat": done.ana.code}),
        ("scoring:card", "mara", {"seat": done.ana.code}),
        ("scoring:panel", "mara", {"code": done.application.code}),
        ("scoring:candidate", "mara", {"code": done.application.candidate.code}),
        ("scoring:candidate", "ana", {"code": done.application.candidate.code}),
        ("scoring:panel-pdf", "mara", {"code": done.application.code}),
        ("scoring:letter", "mara", {"code": done.application.code}),
        ("scoring:letter-text", "mara", {"code": done.application.code}),
        ("interviews:application-detail", "mara", {"code": done.application.code}),
        ("interviews:timeline", "mara", {"code": done.interview.code}),
    ):
        counted[f"{name}, all in", who] = _queries(done, who, reverse(name, kwargs=kwargs))
    talk_over(done, n)
    for name in ("scoring:debrief", "scoring:ledger"):
        url = reverse(name, kwargs={"code": done.application.code})
        counted[f"{name}, decided", "mara"] = _queries(done, "mara", url)
        counted[f"{name}, decided, JSON", "mara"] = _queries(done, "mara", f"{url}?format=json")
    return counted


def _queries(scene: Scene, who: str, url: str) -> int:
    client = client_of(who, scene)
    assert client.get(url).status_code == 200, url  # fills what a process keeps, and writes what is written once
    with CaptureQueriesContext(connection) as captured:
        b"".join(client.get(url))  # to its end, should it be sent while it is made
    return len(captured)


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 3])
def test_a_page_costs_the_same_for_one_and_three(cast: Cast, n: int) -> None:
    assert costs(cast, n) == COSTS


# --- frames ----------------------------------------------------------------------------------------------------------

# Queries of drawing one event anew: the room's shared state, or besides it what one author wrote.
FRAMES: dict[str, int] = {
    "all interview.start": 2,
    "all prompt.share": 3,
    "panel interview.start": 3,
    "panel probe.ask": 5,
    "panel prompt.share": 0,
    "panel lead.hand_over": 5,
    "mine mark.set": 1,
    "mine note.set": 1,
    "mine evidence.add": 1,
    "mine reason.add": 1,
    "mine boundary.set": 1,
}


@pytest.mark.parametrize("asked", [1, 30])
def test_a_frame_costs_the_same_for_one_question_and_thirty(cast: Cast, asked: int) -> None:
    scene = make_scene(cast)
    do(scene.ana, "interview.start")
    for number in range(asked):
        question = str(do(scene.ana, "probe.ask", {"probe": f"data-parallel/{('root', 'l2', 'l3')[number % 3]}"}))
        do(scene.ana, "mark.set", {"asked": question, "outcome": "partial", "version": 0})
        do(scene.ana, "note.set", {"asked": question, "text": "Calm", "version": 0})
        said = {"asked": question, "aid": "unaided", "detail": "Eight cards"}
        do(scene.ana, "evidence.add", {**said, "type": "built"})
        do(scene.ana, "reason.add", {**said, "type": "choice"})
    do(scene.ana, "prompt.share", {"asked": question})
    do(scene.ana, "boundary.set", {"tree": "data-parallel", "ended": "time", "version": 0})
    do(scene.ana, "lead.hand_over", {"seat": str(scene.bo.code)})

    counted = {}
    for stream in (log.ALL, log.PANEL, log.mine(scene.ana)):
        for event in {event.name: event for event in log.since(scene.interview.room_id, {stream: 0})}.values():
            frames.draw_all([event], "en")  # what the process keeps of pinned trees
            with CaptureQueriesContext(connection) as captured:
                frames.draw_all([event], "en")
            counted[f"{stream.partition(':')[0]} {event.name}"] = len(captured)

    assert counted == FRAMES


def test_a_burst_of_frames_costs_what_one_does(cast: Cast) -> None:
    scene = make_scene(cast)
    do(scene.ana, "interview.start")
    for _ in range(20):
        do(scene.ana, "probe.ask", {"probe": "data-parallel/root"})
    events = log.since(scene.interview.room_id, {log.PANEL: 0})
    frames.draw_all(events, "en")

    with CaptureQueriesContext(connection) as captured:
        drawn = frames.draw_all(events, "en")

    assert (len(drawn), len(captured)) == (21, FRAMES["panel probe.ask"])


@pytest.mark.parametrize("each", [1, 3])
def test_words_of_a_burst_are_read_at_once(cast: Cast, each: int) -> None:
    scene = make_scene(cast)
    do(scene.ana, "interview.start")
    before = log.heads(scene.interview.room_id, [log.ALL, log.PANEL])
    own = {"kind": "probe", "aims": ["why"], "parent": "data-parallel/root"}
    wording = {"tree": "data-parallel", "op": "text", "probe": "data-parallel/l2"}
    for number in range(each):
        do(scene.ana, "probe.adhoc", {**own, "text": f"And why {number}?"})
        do(scene.ana, "tree.edit", {**wording, "text": f"Which one, {number}?"})
        do(scene.ana, "prompt.share", {"text": f"Here is {number}."})
        do(scene.ana, "interview.end")
        do(scene.ana, "interview.reopen", {"reason": f"Cut off {number} times"})
    events = log.since(scene.interview.room_id, before)
    frames.draw_all(events, "en")

    with CaptureQueriesContext(connection) as captured:
        drawn = frames.draw_all(events, "en")

    heard = [frame["data"].get("text") or frame["data"].get("reason") for frame in drawn]
    last = each - 1
    assert {f"And why {last}?", f"Which one, {last}?", f"Here is {last}.", f"Cut off {last} times"} <= set(heard)
    assert len(captured) == FRAMES["panel probe.ask"] + 3  # what changed the trees, the words, the pauses
