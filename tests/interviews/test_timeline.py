"""The course of an interview: page, JSON and table, for everyone who may read it and for those who may not."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from django.test import Client
from django.urls import reverse

from interviews.enums import InterviewStatus, Role
from interviews.models import Asked, Event, Mark, Reveal, Text
from people.enums import PersonRole
from people.models import AuditEntry, Person
from tests.cast import Cast
from tests.support.factories import Scene, make_application, make_interview, make_scene, seats_of
from tests.support.judging import adhoc, ask, judge, submit
from tests.support.pages import as_
from tests.support.played import Played

pytestmark = pytest.mark.db


@pytest.fixture
def played(cast: Cast) -> Played:
    return Played(cast).play()


def url(scene: Scene, ending: str = "") -> str:
    return reverse(f"interviews:timeline{ending}", args=[scene.interview.code])


def read(scene: Scene, person: Person) -> BeautifulSoup:
    answer = as_(person).get(url(scene))
    assert answer.status_code == 200
    return BeautifulSoup(answer.content, "html.parser")


def data(scene: Scene, person: Person) -> Any:
    return json.loads(as_(person).get(url(scene), headers={"accept": "application/json"}).content)


def text(tag: Tag | None) -> str:
    return " ".join(tag.get_text(" ").split()) if tag else ""


def table(scene: Scene, person: Person) -> list[dict[str, str]]:
    answer = as_(person).get(url(scene, "-csv"))
    assert answer.headers["Content-Disposition"].startswith("attachment; ")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


# --- what happened ----------------------------------------------------------------------------------------------------


def test_story_tells_in_order_what_was_asked_and_what_happened(played: Played) -> None:
    page = read(played.scene, played.scene.cast.eli)

    told = [(int(str(item["data-from"])) // 1000, text(item.select_one(".story__say, h3"))) for item in story(page)]
    assert told == [
        (0, "Started"),
        (60, "Question 1: 1 root of data-parallel"),
        (90, "Shown to the candidate: question 1"),
        (180, "Question 2: 2 l2 of data-parallel"),
        (210, "Taken back: question 2"),
        (240, "Paused"),
        (360, "Went on"),
        (390, "Shown to the candidate: Draw it on the pad"),
        (420, "Question 3: 3 root of zero-stages"),
        (456, "Question 4: 4 l3 of zero-stages"),
        (480, "Ana handed the lead to Bo"),
        (540, "Question 5: 5 l2 of zero-stages"),
        (600, "Ended"),
    ]


def story(page: BeautifulSoup) -> list[Tag]:
    return page.select(".story > li")


def test_late_and_taken_back_questions_are_marked(played: Played) -> None:
    page = read(played.scene, played.scene.cast.eli)

    marked = {str(item["id"]): text(item.select_one(".warn")) for item in page.select("li[data-asking]")}
    assert marked == {
        "asked-1": "",
        "asked-2": "taken back",
        "asked-3": "",
        "asked-4": "arrived late",
        "asked-5": "",
    }


def test_minutes_of_a_tree_leave_out_pauses_and_what_was_taken_back(played: Played) -> None:
    page = read(played.scene, played.scene.cast.eli)

    rows = [[text(cell) for cell in row.find_all(["th", "td"])] for row in page.select("aside tbody tr")]
    # From 1:00 to 7:00 without the pause of two minutes; from 7:00 to the end.
    assert rows == [["Data parallel", "4:00", "15"], ["Zero stages", "3:00", "15"]]


def test_spells_say_what_was_current_when(played: Played) -> None:
    page = read(played.scene, played.scene.cast.eli)

    spells = [
        (int(str(one["data-from"])) // 1000, one.get("data-until"), text(one.a)) for one in page.select("[data-spell]")
    ]
    assert spells == [
        (60, "180000", "Question 1"),
        (180, "210000", "Question 2"),
        (210, "420000", "Question 1"),
        (420, "540000", "Question 3"),
        (540, None, "Question 5"),
    ]


def test_pad_has_its_place_and_says_that_there_was_none(played: Played) -> None:
    page = read(played.scene, played.scene.cast.eli)

    assert text(page.select_one("section[aria-labelledby=pad]")) == "Pad There was no shared pad in this interview."


def test_before_the_beginning_there_is_nothing_and_that_is_said(cast: Cast) -> None:
    scene = make_scene(cast)

    page = read(scene, cast.ana)

    assert "Nothing has happened yet" in text(page.main)
    assert page.select("[data-player]") == []
    assert data(scene, cast.ana)["asked"] == []


def test_lead_s_own_question_stands_in_its_parent_s_tree(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    ask(scene.ana, adhoc(scene, scene.probe("root", 1), aims=["depth"], level=2))

    page = read(scene, cast.eli)

    asked = text(page.select_one("li[data-asking]"))
    assert "And on your own machine?" in asked
    assert "Zero stages level 2 the lead's own question" in asked


def test_erased_words_are_said_to_be_erased(played: Played) -> None:
    Text.objects.update(body=None, erased_at=played.scene.interview.starts_at)

    page = text(read(played.scene, played.scene.cast.ana).main)

    assert "Shown to the candidate: erased" in page
    assert "Eight cards" not in page
    assert json.dumps(data(played.scene, played.scene.cast.ana)).count("Draw it") == 0
    assert {row["words"] for row in table(played.scene, played.scene.cast.ana)} == {""}


def test_times_name_the_reader_s_zone(played: Played) -> None:
    ana = played.scene.cast.ana
    Person.objects.filter(pk=ana.pk).update(time_zone="Asia/Shanghai")
    ana.refresh_from_db()

    assert "Times in Asia/Shanghai" in text(read(played.scene, ana).main)
    first = table(played.scene, ana)[0]
    assert (first["at_utc"], first["at_local"], first["time_zone"]) == (
        "2026-11-30T10:42:00.000Z",
        "2026-11-30 18:42:00",
        "Asia/Shanghai",
    )


# --- what was judged --------------------------------------------------------------------------------------------------


def test_own_marks_stand_beside_their_question_as_they_stood_when(played: Played) -> None:
    page = read(played.scene, played.scene.cast.ana)

    marks = [
        (one["data-from"], one.get("data-until"), text(one), one.has_attr("hidden"))
        for one in page.select("#asked-1 .said__mark")
    ]
    assert marks == [
        ("120000", "300000", "Partial Depth 2", True),
        ("300000", None, "Sustained Unaided Depth 2", False),
    ]
    said = text(page.select_one("#asked-1 .said"))
    assert said.startswith("You")
    for words in ("Built. Eight cards volunteered", "Regret. Would not again asked for", "=1+1 counts"):
        assert words in said
    assert "You: Moved on" in text(page.select_one("aside tbody"))


def test_others_judgements_come_with_the_reveal_and_the_ledger_says_so(played: Played) -> None:
    scene, cast = played.scene, played.scene.cast
    submit(scene.bo)
    assert heard_of(scene, cast.ana) == {"Ana"}
    submit(scene.ana)

    assert heard_of(scene, cast.ana) == {"Ana", "Bo"}
    assert heard_of(scene, cast.mara) == set()
    assert list(Reveal.objects.values_list("viewer", "seat", "what", "rule")) == [
        (cast.ana.pk, scene.bo.pk, "timeline", "after_own")
    ]
    submit(scene.chen)
    assert heard_of(scene, cast.mara) == {"Ana", "Bo"}
    assert heard_of(scene, cast.eli) == set()


def heard_of(scene: Scene, person: Person) -> set[str]:
    """Whose judgements this reader finds, by each of the three ways alike."""
    seats = {str(seat.code): seat.person.name for seat in seats_of(scene.interview) if seat.person}
    by_json = {seats[voice["seat"]] for voice in data(scene, person)["judgements"]}
    by_table = {row["by"] for row in table(scene, person) if row["what"] == "mark"}
    names = {text(one) for one in read(scene, person).select(".said__who")}
    assert by_json == by_table == {person.name if name == "You" else name for name in names}
    return by_json


def test_table_of_state_has_the_last_word_on_a_mark(played: Played) -> None:
    asked = Asked.objects.get(pk=played.asked["zero"])
    judge(played.scene.chen, asked, depth=1)  # a row without a log

    page = read(played.scene, played.scene.cast.chen)

    assert text(page.select_one("#asked-3 .said__mark")) == "Sustained Unaided Depth 1"


def test_replay_of_the_log_ends_where_the_tables_stand(played: Played) -> None:
    for voice in data(played.scene, played.scene.cast.ana)["judgements"]:
        for mark in voice["marks"]:
            row = Mark.objects.visible_to(played.scene.cast.ana).get(asked=mark["asked"])
            last = mark["history"][-1]
            assert (last["outcome"], last.get("aid"), last.get("depth")) == (row.outcome, row.aid, row.depth)


# --- who may read it --------------------------------------------------------------------------------------------------


def test_manager_who_still_has_to_judge_the_person_reads_no_other_interview(played: Played) -> None:
    """What earlier interviewers asked, how deep and how long, is not for them until their own card is in."""
    scene, cast = played.scene, played.scene.cast
    next_one = make_interview(scene.application, lead=cast.mara, versions=scene.versions)
    Person.objects.filter(pk=cast.mara.pk).update(roles=[PersonRole.MANAGER, PersonRole.INTERVIEWER])

    answers = [as_(cast.mara).get(url(scene, ending)).status_code for ending in ("", "-csv", "-json")]

    assert answers == [403, 403, 403]
    page = as_(cast.mara).get(reverse("interviews:interview-detail", args=[scene.interview.code]))
    assert "Timeline" not in page.content.decode()
    next_one.seats.filter(role=Role.LEAD).update(role=Role.OBSERVER)
    assert as_(cast.mara).get(url(scene)).status_code == 200


def test_interviewer_of_a_loop_reads_the_others_course_when_the_seal_lets_them(played: Played) -> None:
    scene, cast = played.scene, played.scene.cast
    interview = make_interview(scene.application, lead=cast.sam, versions=scene.versions, status=InterviewStatus.LIVE)
    own = interview.seats.get(role=Role.LEAD)
    assert as_(cast.sam).get(url(scene)).status_code == 403
    judge(own, ask(own, scene.probe("root")), depth=2)
    interview.status, interview.ended_at = InterviewStatus.ENDED, interview.starts_at
    interview.save()
    own.card_owed = True
    own.save()
    submit(own)
    submit(scene.bo)

    assert heard_of(scene, cast.sam) == {"Bo"}


def test_candidate_of_another_interview_and_nobody_reach_nothing(played: Played, client: Client) -> None:
    other = make_interview(
        make_application(played.scene.position, name="Lou"), lead=played.scene.cast.sam, versions=played.scene.versions
    )

    assert client.get(url(played.scene)).status_code == 302
    assert as_(played.scene.cast.sam).get(url(played.scene)).status_code == 404
    assert as_(played.scene.cast.sam).get(reverse("interviews:timeline", args=[other.code])).status_code == 200


# --- files ------------------------------------------------------------------------------------------------------------


def test_table_has_a_row_for_everything_and_runs_no_formula(played: Played) -> None:
    rows = table(played.scene, played.scene.cast.ana)

    assert [row["seconds"] for row in rows] == sorted((row["seconds"] for row in rows), key=int)
    marks = [row for row in rows if row["what"] == "mark"]
    assert [(row["by"], row["probe"], row["outcome"], row["aid"], row["depth"]) for row in marks] == [
        ("Ana", "data-parallel/root", "sustained", "unaided", "2")
    ]
    assert [row["words"] for row in rows if row["what"] == "note"] == ["'=1+1 counts before answering"]
    assert [(row["tree"], row["type"]) for row in rows if row["what"] == "boundary"] == [("data-parallel", "moved_on")]
    assert [row["probe"] for row in rows if row["late"]] == ["zero-stages/l3"]


def test_json_names_by_code_and_says_the_same(played: Played) -> None:
    scene = played.scene
    told = data(scene, scene.cast.ana)

    assert [(one["probe"], one["seconds"], one["late"]) for one in told["asked"]] == [
        ("data-parallel/root", 240, False),
        ("data-parallel/l2", None, False),
        ("zero-stages/root", 36, False),
        ("zero-stages/l3", 84, True),
        ("zero-stages/l2", 60, False),
    ]
    assert told["you"] == {"seat": str(scene.ana.code), "role": "interviewer"}
    assert told["pauses"] == [{"since": "2026-11-30T10:46:00.000Z", "until": "2026-11-30T10:48:00.000Z"}]
    assert {"name": "lead.hand_over", "made_at": "2026-11-30T10:50:00.000Z"}.items() <= told["events"][-2].items()
    assert told == json.loads(as_(scene.cast.ana).get(url(scene, "-json")).content)


def test_taking_it_along_is_written_down(played: Played) -> None:
    scene = played.scene
    table(scene, scene.cast.eli)
    data(scene, scene.cast.mara)
    as_(scene.cast.ana).get(url(scene, "-json"))
    read(scene, scene.cast.bo)

    entries = AuditEntry.objects.filter(action="timeline.exported").order_by("pk")
    assert [(entry.actor_id, entry.object_id, entry.data) for entry in entries] == [
        (scene.cast.eli.pk, str(scene.interview.pk), {"format": "csv"}),
        (scene.cast.mara.pk, str(scene.interview.pk), {"format": "json"}),
        (scene.cast.ana.pk, str(scene.interview.pk), {"format": "json"}),
    ]


def test_events_that_no_timeline_knows_are_left_out(played: Played) -> None:
    room = played.scene.interview.room
    Event.objects.create(
        room=room, stream="panel", seq=900, name="hand.raise", made_at=played.scene.interview.starts_at, data={}
    )

    assert len(story(read(played.scene, played.scene.cast.eli))) == 13
