"""What the panel says to each other: raised hands, the chat, and who asks which tree."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from interviews.enums import InterviewStatus
from interviews.live import frames
from interviews.models import ChatLine, Event, Interview, PinnedTree, Reveal, Seat, Text
from interviews.queries.room import RoomView, room_view
from interviews.rendering import lead_context
from interviews.services.refusal import Refusal
from interviews.services.seating import add_seat, share_trees
from scoring.queries.cards import could_have_seen_others
from tests.cast import Cast
from tests.house.acting import do
from tests.house.people import client_of
from tests.support.factories import Scene, make_scene
from tests.support.pages import as_, words

pytestmark = pytest.mark.db


@pytest.fixture
def live(cast: Cast) -> Scene:
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    scene.position.chat = True
    scene.position.save()
    return scene


def view_of(scene: Scene) -> RoomView:
    return room_view(scene.interview.room_id)


def up(scene: Scene) -> list[str]:
    view = view_of(scene)
    return [seat.person.name for seat in view.seats if seat.person and view.hand_up(seat)]


def refused(seat: Seat, name: str, data: dict[str, Any] | None = None) -> tuple[str, str]:
    with pytest.raises(Refusal) as refusal:
        do(seat, name, data)
    return refusal.value.code.value, refusal.value.message


# --- hands ------------------------------------------------------------------------------------------------------------


def test_a_hand_comes_down_when_what_was_wished_for_is_asked_and_up_when_that_is_undone(live: Scene) -> None:
    do(live.bo, "hand.raise", {"probe": "data-parallel/l2"})
    do(live.dee, "hand.raise")
    assert up(live) == ["Bo", "Dee"]

    do(live.ana, "probe.ask", {"probe": "data-parallel/root"})
    assert up(live) == ["Bo", "Dee"]
    asked = do(live.ana, "probe.ask", {"probe": "data-parallel/l2"})
    assert up(live) == ["Dee"]
    do(live.ana, "probe.retract", {"asked": str(asked)})

    assert up(live) == ["Bo", "Dee"]


def test_a_hand_for_a_question_asked_before_stays_up_until_it_is_asked_again(live: Scene) -> None:
    do(live.ana, "probe.ask", {"probe": "data-parallel/l2"})
    do(live.bo, "hand.raise", {"probe": "data-parallel/l2"})
    assert up(live) == ["Bo"]

    do(live.ana, "probe.ask", {"probe": "data-parallel/l2"})

    assert up(live) == []


def test_getting_the_lead_takes_ones_own_hand_down_and_nobody_elses(live: Scene) -> None:
    for seat in (live.bo, live.chen):
        do(seat, "hand.raise")

    do(live.ana, "lead.hand_over", {"seat": str(live.bo.code)})

    assert up(live) == ["Chen"]


def test_a_hand_is_raised_for_a_question_of_this_interview_only(live: Scene) -> None:
    assert refused(live.bo, "hand.raise", {"probe": "data-parallel/nothing"})[0] == "bad_field"
    assert up(live) == []


def test_the_lead_is_offered_who_asks_this_tree_first_then_the_hands_in_order(live: Scene) -> None:
    share(live, "zero-stages", live.chen)
    do(live.bo, "hand.raise", {"probe": "data-parallel/l2"})
    do(live.dee, "hand.raise")
    do(live.ana, "probe.ask", {"probe": "data-parallel/root"})
    assert offers(live) == [("Bo", "", "data-parallel/l2", True), ("Dee", "", "", False)]

    do(live.ana, "probe.ask", {"probe": "zero-stages/root"})

    assert offers(live)[0] == ("Chen", "Zero stages", None, True)
    assert [name for name, *_ in offers(live)] == ["Chen", "Bo", "Dee"]
    do(live.ana, "lead.hand_over", {"seat": str(live.chen.code)})
    live.chen.refresh_from_db()
    assert [name for name, *_ in offers(live, live.chen)] == ["Bo", "Dee"]
    live.ana.refresh_from_db()
    assert lead_context(view_of(live), live.ana)["offers"] == []


def offers(scene: Scene, lead: Seat | None = None) -> list[tuple[str, str, str | None, bool]]:
    found = lead_context(view_of(scene), lead or scene.ana)["offers"]
    return [(one["name"], one["tree"], one["hand"] and one["hand"]["probe"], one["may_lead"]) for one in found]


def share(scene: Scene, tree: str, seat: Seat) -> None:
    pinned = PinnedTree.objects.get(interview=scene.interview, version__tree__key=tree)
    share_trees(interview=scene.interview, by=scene.cast.mara, askers={pinned.pk: seat.code})


def test_who_asks_a_tree_is_named_to_everybody_in_a_panel_and_to_nobody_alone(live: Scene) -> None:
    share(live, "zero-stages", live.bo)
    event = Event.objects.get(name="askers.change")
    assert event.data == {"askers": [{"tree": "zero-stages", "seat": str(live.bo.code)}]}
    for who in ("ana", "bo", "dee", "eli"):
        page = client_of(who, live).get(f"/interviews/{live.interview.code}/room/").content.decode()
        assert 'id="asks-zero-stages">Bo asks<' in page
        assert ('id="plans-zero-stages">Bo asks<' in page) == (who != "eli"), who

    Seat.objects.filter(pk__in=[live.bo.pk, live.chen.pk]).update(removed_at=live.interview.created_at)

    assert 'id="asks-data-parallel"></span>' in "".join(frames.snapshot(live.ana.pk, "en")["html"])


# --- chat -------------------------------------------------------------------------------------------------------------


def test_a_line_is_refused_where_the_chat_is_off(live: Scene) -> None:
    do(live.eli, "chat.post", {"text": "Before it was switched off"})
    live.position.chat = False
    live.position.save()

    assert refused(live.bo, "chat.post", {"text": "Anybody?"}) == ("no_right", "The chat is off for this position.")
    assert ChatLine.objects.count() == Text.objects.filter(kind="chat").count() == 1
    page = client_of("bo", live).get(f"/interviews/{live.interview.code}/room/").content.decode()
    assert 'id="chat-open" hidden' in page
    assert 'id="chat-form"' not in page
    assert "Before it was switched off" not in page


def test_the_candidate_neither_writes_nor_hears_nor_sees_the_chat(live: Scene) -> None:
    do(live.bo, "chat.post", {"text": "Five minutes left"})

    assert refused(live.candidate, "chat.post", {"text": "Hello"})[0] == "no_right"
    assert set(Event.objects.filter(name="chat.post").values_list("stream", flat=True)) == {"panel"}


def test_the_log_holds_no_words_and_an_erased_line_is_drawn_erased(live: Scene) -> None:
    line = do(live.bo, "chat.post", {"text": "Five minutes left"})
    event = Event.objects.get(name="chat.post")
    assert event.data == {"line": str(line)}
    drawn = frames.draw_all([event], "en")[0]
    assert drawn["data"]["text"] == "Five minutes left"
    assert "Five minutes left" in drawn["html"]

    Text.objects.filter(kind="chat").update(body=None, erased_at=event.at)

    drawn = frames.draw_all([event], "en")[0]
    assert drawn["data"] == {"line": str(line), "text": None}
    assert ">erased<" in drawn["html"]
    assert ">erased<" in frames.snapshot(live.ana.pk, "en")["html"]


def test_the_ledger_names_who_could_read_whose_lines_once(live: Scene) -> None:
    for words_said in ("One", "Two"):
        do(live.bo, "chat.post", {"text": words_said})
    assert ledger(live) == {(who, "Bo") for who in ("Ana", "Chen", "Dee", "Eli")}

    do(live.ana, "chat.post", {"text": "Three"})

    assert ledger(live) >= {(who, "Ana") for who in ("Bo", "Chen", "Dee", "Eli")}
    assert Reveal.objects.count() == 8


def test_who_comes_later_is_named_when_they_open_the_room(live: Scene) -> None:
    do(live.bo, "chat.post", {"text": "Five minutes left"})
    cast = live.cast
    add_seat(interview=interview(live), by=cast.mara, person=cast.sam, role=live.bo.role)

    for _ in range(2):
        assert as_(cast.sam).get(f"/interviews/{live.interview.code}/room/").status_code == 200

    assert ("Sam", "Bo") in ledger(live)
    assert Reveal.objects.filter(viewer=cast.sam).count() == 1


def ledger(scene: Scene) -> set[tuple[str, str]]:
    rows = Reveal.objects.filter(application=scene.application, what="chat", rule="seat")
    return set(rows.values_list("viewer__name", "seat__person__name"))


def interview(scene: Scene) -> Interview:
    return Interview.objects.select_related("application__position").get(pk=scene.interview.pk)


def test_having_read_the_chat_is_no_judgement_seen(live: Scene) -> None:
    do(live.bo, "chat.post", {"text": "Five minutes left"})

    assert not could_have_seen_others(Seat.objects.select_related("interview__application").get(pk=live.ana.pk))


def test_who_is_in_charge_sees_that_there_was_a_chat_and_no_word_of_it(live: Scene) -> None:
    address = f"/interviews/{live.interview.code}/"
    assert "Panel chat" not in words(as_(live.cast.mara).get(address))
    do(live.bo, "chat.post", {"text": "A word of the panel"})
    do(live.ana, "chat.post", {"text": "A word of the panel"})

    said = words(as_(live.cast.mara).get(address))

    assert "Panel chat 2 lines, by Bo, Ana" in said
    assert "A word of the panel" not in said
    assert "Panel chat" not in words(as_(live.cast.bo).get(address))


def test_a_line_counts_as_something_done_in_a_quiet_room(live: Scene) -> None:
    long_ago = live.interview.started_at
    Interview.objects.filter(pk=live.interview.pk).update(last_command_at=long_ago)

    do(live.eli, "chat.post", {"text": "Are they coming back?"}, command=uuid.uuid4())

    assert interview(live).last_command_at != long_ago
