"""Who may do what in a room, and when: role x command x state, by hand, by the rules, and by what really happens."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from interviews.enums import InterviewStatus, Role
from interviews.live.commands import COMMANDS
from interviews.live.dispatch import SERVICES, carry_out
from interviews.log import mine
from interviews.models import Command, Event, Interview, Seat
from interviews.rules import conduct
from interviews.services.refusal import Code, Refusal
from tests.cast import Cast
from tests.house.panel_cases import chat_on
from tests.house.room_cases import Room, begin
from tests.support.factories import Scene, make_scene

pytestmark = pytest.mark.db

LEADS, JUDGES = "ana", "ana bo dee"

# Who may do it in a running interview. Everybody else is refused: an interviewer, who could come to lead, with
# `not_lead` where only the lead may; all others with `no_right`.
MAY = {
    "interview.start": "",
    "interview.pause": LEADS,
    "interview.resume": "",
    "interview.end": LEADS,
    "interview.reopen": "",
    "lead.hand_over": LEADS,
    "lead.take": "bo",
    "probe.ask": LEADS,
    "probe.adhoc": LEADS,
    "probe.retract": LEADS,
    "tree.edit": LEADS,
    "prompt.share": LEADS,
    "prompt.unshare": LEADS,
    "candidate.admit": LEADS,
    "hand.raise": "bo dee",
    "hand.lower": "bo dee",
    "chat.post": "ana bo dee eli",
    "mark.set": JUDGES,
    "boundary.set": JUDGES,
    "evidence.add": JUDGES,
    "evidence.edit": JUDGES,
    "evidence.remove": JUDGES,
    "reason.add": JUDGES,
    "reason.edit": JUDGES,
    "reason.remove": JUDGES,
    "note.set": JUDGES,
}

PEOPLE = ("ana", "bo", "dee", "eli", "candidate")  # lead, interviewer, shadow, observer, candidate
CARDS = ("ana", "bo", "dee")


class Prepared(Room):
    """A running interview in which every command makes sense: `data_for` says it so that only rights can refuse it."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        chat_on(self)
        begin(self)
        self.candidate_comes(admitted=False)
        self.asked = self.ask("zero-stages/root")
        self.judge("dee", str(self.marked["root"]))
        self.statements = {who: self.judge(who, self.asked) for who in CARDS}
        # The lead has been away long enough to be followed by another.
        self.began_earlier(timedelta(minutes=5))
        self.refresh()

    def data_for(self, who: str, name: str) -> dict[str, Any]:
        own = self.statements.get(who, self.statements["bo"])
        said = {"asked": self.asked, "type": "built", "aid": "unaided", "detail": "Eight cards"}
        reason = {**said, "type": "choice"}
        known: dict[str, dict[str, Any]] = {
            "lead.hand_over": {"seat": str(self.scene.bo.code)},
            "probe.ask": {"probe": "data-parallel/l2"},
            "probe.adhoc": {
                "text": "And on two racks?",
                "parent": "zero-stages/root",
                "kind": "check",
                "aims": ["why"],
            },
            "tree.edit": {"tree": "zero-stages", "op": "move", "probe": "zero-stages/root-rescue"},
            "probe.retract": {"asked": self.asked},
            "interview.reopen": {"reason": "One tree was left"},
            "hand.raise": {"probe": "data-parallel/l2"},
            "chat.post": {"text": "Shall we go on?"},
            "prompt.share": {"asked": self.asked},
            "mark.set": {"asked": self.asked, "outcome": "sustained", "version": 1},
            "boundary.set": {"tree": "zero-stages", "ended": "moved_on", "version": 0},
            "evidence.add": said,
            "evidence.edit": {"evidence": own["evidence"], "detail": "Nine", "version": 1},
            "evidence.remove": {"evidence": own["evidence"], "version": 1},
            "reason.add": reason,
            "reason.edit": {"reason": own["reason"], "detail": "Nine", "version": 1},
            "reason.remove": {"reason": own["reason"], "version": 1},
            "note.set": {"asked": self.asked, "text": "Calm", "version": 1},
        }
        return known.get(name, {})

    def tries(self, who: str, name: str) -> str:
        """Carry the command out and take it back; return "ack" or the code of the refusal."""
        seat: Seat = getattr(self.scene, who)
        with transaction.atomic():
            before = (Event.objects.count(), Command.objects.count())
            answer, words = "ack", "accepted"
            try:
                carry_out(seat.pk, uuid.uuid4(), name, self.data_for(who, name), timedelta(0))
            except Refusal as refusal:
                answer, words = refusal.code.value, refusal.message
            assert words
            written = (Event.objects.count(), Command.objects.count()) != before
            assert written == (answer == "ack"), (who, name)
            transaction.set_rollback(True)
        return answer

    def stands(self, status: InterviewStatus) -> None:
        """Bring the running interview to a state, by its own commands where there are some."""
        if status == InterviewStatus.PAUSED:
            self.do("ana", "interview.pause")
        elif status == InterviewStatus.ENDED:
            self.do("ana", "interview.end")
        elif status != InterviewStatus.LIVE:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL sounding.eraser = 'on'")
                Event.objects.filter(room=self.scene.interview.room, name="interview.start").delete()
                hour_ago = timezone.now() - timedelta(hours=1)
                Interview.objects.filter(pk=self.scene.interview.pk).update(
                    status=status, started_at=None, starts_at=hour_ago
                )


@pytest.fixture
def room(cast: Cast) -> Prepared:
    return Prepared(make_scene(cast))


def by_hand(who: str, name: str) -> str:
    if who in MAY[name].split():
        return "ack"
    if name in {"interview.start", "interview.resume", "interview.reopen"} and who == "ana":
        return Code.NOT_LIVE
    only_the_leads = (
        name.partition(".")[0] in {"interview", "probe", "prompt", "candidate", "tree"} or name == "lead.hand_over"
    )
    return Code.NOT_LEAD if who == "bo" and only_the_leads else Code.NO_RIGHT


def test_every_command_has_a_row_a_service_and_a_rule() -> None:
    assert set(MAY) == set(COMMANDS) == set(SERVICES)
    assert set(COMMANDS) == set(conduct.COMMANDS)


def test_a_running_room_answers_each_seat_as_the_table_says(room: Prepared) -> None:
    expected = {(who, name): by_hand(who, name) for who in PEOPLE for name in COMMANDS}

    assert {(who, name): room.tries(who, name) for who in PEOPLE for name in COMMANDS} == expected


@pytest.mark.parametrize("status", list(InterviewStatus))
def test_the_room_and_the_rules_agree(room: Prepared, status: InterviewStatus) -> None:
    """What really happens, against the table of interviews.rules.conduct."""
    room.stands(status)

    for who in PEOPLE:
        role = Role(getattr(room.scene, who).role)
        for name in COMMANDS:
            ruled = conduct.refusal(name, role=role, status=status) or "ack"
            assert room.tries(who, name) == ruled, (who, name)


@pytest.mark.parametrize("who", CARDS)
def test_a_submitted_card_closes_ones_own_judgements_and_nobody_elses(room: Prepared, who: str) -> None:
    seat: Seat = getattr(room.scene, who)
    Seat.objects.filter(pk=seat.pk).update(card_submitted_at=timezone.now())

    for name in sorted(conduct.JUDGEMENTS & set(COMMANDS)):
        ruled = conduct.refusal(name, role=Role(seat.role), status=InterviewStatus.LIVE, card_submitted=True)
        assert ruled == Code.SUBMITTED
        assert {other: room.tries(other, name) for other in CARDS} == {
            other: Code.SUBMITTED if other == who else "ack" for other in CARDS
        }, name
    for name in sorted(set(COMMANDS) - conduct.JUDGEMENTS):
        assert room.tries(who, name) == by_hand(who, name), name


def test_an_amendment_opens_ones_own_judgements_and_nothing_else(room: Prepared) -> None:
    room.stands(InterviewStatus.ENDED)
    now = timezone.now()
    Seat.objects.filter(pk=room.scene.ana.pk).update(card_submitted_at=now, card_amending_at=now)
    Seat.objects.filter(pk=room.scene.bo.pk).update(card_submitted_at=now)

    for name in sorted(conduct.JUDGEMENTS & set(COMMANDS)):
        assert (room.tries("ana", name), room.tries("bo", name)) == ("ack", Code.SUBMITTED), name
    assert room.tries("ana", "interview.reopen") == Code.SUBMITTED


def test_a_seat_that_was_taken_away_may_do_nothing(room: Prepared) -> None:
    Seat.objects.filter(pk=room.scene.bo.pk).update(removed_at=timezone.now())

    assert {name: room.tries("bo", name) for name in COMMANDS} == dict.fromkeys(COMMANDS, Code.NO_RIGHT)


def test_nobody_writes_on_what_is_somebody_elses(room: Prepared) -> None:
    """Another's evidence or reason is as unknown as one that never was, and their stream stays as it is."""
    theirs = room.statements["bo"]
    before = list(Event.objects.filter(stream=mine(room.scene.bo)).values_list("pk", flat=True))

    for who in ("ana", "dee"):
        for name, data in (
            ("evidence.edit", {"evidence": theirs["evidence"], "detail": "Forged", "version": 1}),
            ("evidence.remove", {"evidence": theirs["evidence"], "version": 1}),
            ("reason.edit", {"reason": theirs["reason"], "detail": "Forged", "version": 1}),
            ("reason.remove", {"reason": theirs["reason"], "version": 1}),
        ):
            never = {**data, name.partition(".")[0]: str(uuid.uuid4())}
            answers = {refusal_of(room, who, name, said) for said in (data, never)}
            assert len(answers) == 1, name
    assert list(Event.objects.filter(stream=mine(room.scene.bo)).values_list("pk", flat=True)) == before


def refusal_of(room: Prepared, who: str, name: str, data: dict[str, Any]) -> tuple[str, str, str]:
    seat: Seat = getattr(room.scene, who)
    with pytest.raises(Refusal) as refused:
        carry_out(seat.pk, uuid.uuid4(), name, data, timedelta(0))
    return refused.value.code, refused.value.message, str(refused.value.current)


def test_a_late_ask_counts_only_if_the_interview_ran_when_it_was_made(room: Prepared) -> None:
    """Asked during a pause it was never asked; the pause itself does not make an ask of before it untrue."""
    room.do("ana", "interview.pause")
    ask = {"probe": "data-parallel/l2"}

    assert refusal_of(room, "ana", "probe.ask", ask)[0] == Code.NOT_LIVE

    paused = Event.objects.filter(name="interview.pause", stream="panel").get().at
    age = timezone.now() - paused + timedelta(seconds=30)
    ack = carry_out(room.scene.ana.pk, uuid.uuid4(), "probe.ask", ask, age)
    assert Event.objects.get(stream="panel", seq=ack.seq).data["late"] is True
