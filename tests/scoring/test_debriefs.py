"""A debrief by its commands: who may do what when, what is kept, what is sealed."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from interviews import log
from interviews.enums import InterviewStatus
from interviews.live.kinds import KINDS
from interviews.models import Application, Asked, Event, Interview, Reveal
from interviews.queries.standing import Guest
from interviews.services.refusal import Code, Refusal
from people.models import AuditEntry
from people.refusal import Refused
from scoring.enums import DebriefPhase, Recommendation
from scoring.models import DebriefDecision, DebriefNote, DebriefVote
from scoring.queries.debriefs import load_parts, load_room, standings
from scoring.rules import debrief as rules
from scoring.services.debriefs import arrive, depart, open_debrief
from tests.cast import Cast
from tests.support.debriefs import Talk, all_in
from tests.support.factories import make_application, make_interview, make_position, seats_of
from tests.support.judging import ask, end, judge, submit

pytestmark = pytest.mark.db

DATA: dict[str, dict[str, Any]] = {
    "vote.set": {"recommendation": "no", "version": 0},
    "note.post": {"text": "Ask about ring buffers."},
    "decision.record": {"decision": "offer", "rationale": "Carries the team."},
}


MANAGERS, VOTERS, ALL = ("mara", "bo"), ("ana", "bo"), ("mara", "ana", "bo", "dee")
ALLOWED: dict[DebriefPhase, set[tuple[str, str]]] = {
    DebriefPhase.GATHERING: {(who, "debrief.start") for who in MANAGERS},
    DebriefPhase.READING: {(who, "phase.next") for who in MANAGERS},
    DebriefPhase.VOTING: {(who, "phase.next") for who in MANAGERS} | {(who, "vote.set") for who in VOTERS},
    DebriefPhase.DISCUSSING: {(who, "note.post") for who in ALL} | {(who, "decision.record") for who in MANAGERS},
    DebriefPhase.DECIDED: {(who, "decision.record") for who in MANAGERS},
}


@pytest.fixture
def talk(cast: Cast) -> Talk:
    return Talk(all_in(cast))


def refused(talk: Talk, who: str, name: str, **data: Any) -> Refusal:
    before = Event.objects.count()
    with pytest.raises(Refusal) as caught:
        talk.do(who, name, **data)
    assert Event.objects.count() == before
    assert caught.value.message
    return caught.value


# --- who and when -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", list(DebriefPhase))
def test_the_room_and_the_rules_agree(talk: Talk, phase: DebriefPhase) -> None:
    """Every command, as everybody, in every phase: what happens is what scoring.rules.debrief says."""
    talk.scene.position.managers.add(talk.cast.bo)
    talk.cast.bo.roles.append("manager")
    talk.cast.bo.save()
    judge(talk.scene.dee, Asked.objects.filter(interview=talk.scene.interview)[0], depth=2)
    submit(talk.scene.dee)
    talk.seats["dee"] = talk.sit("dee")
    if phase == DebriefPhase.DECIDED:
        talk.to("discussing").do("mara", "decision.record", **DATA["decision.record"])
    elif phase != DebriefPhase.GATHERING:
        talk.to(phase)
    done = set()
    for who in ("mara", "ana", "bo", "dee"):  # in charge, a rater, both, a shadow
        for name, rule in rules.COMMANDS.items():
            data = dict(DATA.get(name, {}))
            if name == "decision.record" and phase == DebriefPhase.DECIDED:
                data["version"] = 1
            ruled = rules.refusal(name, runs=who in {"mara", "bo"}, votes=who in {"ana", "bo"}, phase=phase)
            if ruled is not None:
                assert refused(talk, who, name, **data).code == ruled, (who, name)
                continue
            with transaction.atomic():
                assert talk.do(who, name, **data).stream.startswith(rule.stream), (who, name)
                assert Event.objects.filter(room=talk.debrief.room_id, name=name).exists()
                transaction.set_rollback(True)
            done.add((who, name))
    assert done == ALLOWED[phase]


def test_a_debrief_runs_from_gathering_to_a_decision(talk: Talk) -> None:
    talk.to("voting")
    talk.do("ana", "vote.set", recommendation="no", reason="Bo is right.", version=0)
    talk.do("mara", "phase.next")
    talk.do("bo", "note.post", text="We differ on depth.")
    ack = talk.do("mara", "decision.record", decision="offer", rationale="Grows fast.")

    assert (ack.stream, ack.version) == ("panel", 1)
    debrief = talk.again()
    assert debrief.phase == DebriefPhase.DECIDED
    assert debrief.started_at < debrief.closed_at < debrief.decided_at
    application = debrief.application
    assert (application.decision, application.decided_at) == ("offer", debrief.decided_at)
    assert AuditEntry.objects.get(action="application.decided").actor == talk.cast.mara
    room = load_room(debrief)
    assert [(note.seat.person.name, note.text.body) for note in room.notes] == [("Bo", "We differ on depth.")]
    assert [(one.decision, one.rationale.body) for one in room.decisions] == [("offer", "Grows fast.")]
    events = Event.objects.filter(room=debrief.room, stream="panel").order_by("seq")
    assert [(event.seq, event.name) for event in events] == [
        (1, "debrief.start"),
        (2, "phase.next"),
        (3, "phase.next"),
        (4, "note.post"),
        (5, "decision.record"),
    ]


def test_votes_before_and_after_are_kept_and_shown_as_such(talk: Talk) -> None:
    talk.to("voting")
    talk.do("ana", "vote.set", recommendation="no", reason="Bo is right.", version=0)
    talk.do("ana", "vote.set", recommendation="strong_no", version=1)
    talk.do("bo", "vote.set", recommendation="no", version=0)
    talk.do("mara", "phase.next")

    lines = {line.name: line for line in load_room(talk.again()).votes}
    told = {
        name: ([vote.recommendation for vote in line.before], line.after and line.after.recommendation, line.moved)
        for name, line in lines.items()
    }
    assert told == {
        "Ana": (["yes"], "strong_no", True),
        "Bo": (["no"], "no", False),
        "Chen": (["strong_yes"], None, False),
    }
    assert lines["Ana"].after.reason.body == "Bo is right."  # an absent reason stays what it was
    assert DebriefVote.objects.written_by(talk.seats["ana"]).filter(round="after").count() == 2


# --- the gate ---------------------------------------------------------------------------------------------------------


def test_nobody_has_a_place_while_an_interview_is_to_come(talk: Talk) -> None:
    assert set(standings(seat.pk for seat in talk.seats.values())) == {seat.pk for seat in talk.seats.values()}
    make_interview(talk.scene.application, lead=talk.cast.sam, versions=talk.scene.versions)

    assert standings(seat.pk for seat in talk.seats.values()) == {}
    assert refused(talk, "mara", "debrief.start").code == Code.NO_RIGHT


def test_who_gets_a_duty_on_the_person_elsewhere_loses_the_seat(talk: Talk) -> None:
    other = make_application(make_position(talk.cast.nils, title="Another"), candidate=talk.scene.application.candidate)
    make_interview(other, lead=talk.cast.bo, versions=talk.scene.versions)

    talk.do("mara", "debrief.start")
    assert talk.seats["bo"].pk not in standings(seat.pk for seat in talk.seats.values())
    assert refused(talk, "bo", "note.post", text="Heard").code == Code.NO_RIGHT


def test_shadows_read_and_talk_and_have_no_vote(talk: Talk) -> None:
    judge(talk.scene.dee, Asked.objects.filter(interview=talk.scene.interview)[0], depth=2)
    submit(talk.scene.dee)
    talk.seats["dee"] = talk.sit("dee")
    talk.to("voting")

    part = load_parts(pk=talk.seats["dee"].pk)[talk.seats["dee"].pk]
    assert (part.role, part.votes, part.runs) == ("shadow", False, False)
    assert refused(talk, "dee", "vote.set", recommendation="yes", version=0).code == Code.NO_RIGHT
    talk.do("mara", "phase.next")
    talk.do("dee", "note.post", text="From the side.")
    assert DebriefNote.objects.get().seat == talk.seats["dee"]


def test_a_socket_is_opened_by_who_took_a_seat_and_by_nobody_else(talk: Talk) -> None:
    room = KINDS["debrief"]

    def standing(name: str, as_candidate: bool = False) -> Any:
        guest = Guest(person=getattr(talk.cast, name), session_key="key", candidate={})
        return room.seated(guest, talk.debrief.code, as_candidate)

    assert standing("ana").streams == {"panel": "panel", "mine": f"mine:{talk.seats['ana'].code}"}
    assert [standing(name) for name in ("eli", "sam", "nils", "dee")] == [None] * 4
    assert standing("ana", as_candidate=True) is None
    assert room.exists(talk.debrief.code)
    assert not room.exists(uuid.uuid4())


def test_one_debrief_is_open_at_a_time_and_another_may_follow_a_decision(talk: Talk) -> None:
    with pytest.raises(Refused):
        open_debrief(application=talk.scene.application, by=talk.cast.mara)
    talk.to("discussing").do("mara", "decision.record", decision="another_interview", rationale="Depth unclear.")

    again = open_debrief(application=talk.scene.application, by=talk.cast.mara)

    assert again.phase == DebriefPhase.GATHERING
    assert Application.objects.get(pk=talk.scene.application.pk).decision == "another_interview"


def test_an_old_debrief_does_not_decide_over_a_newer_one(talk: Talk) -> None:
    talk.to("discussing").do("mara", "decision.record", decision="another_interview", rationale="Depth unclear.")
    newer = Talk(talk.scene).to("discussing")
    newer.do("mara", "decision.record", decision="no_offer", rationale="Still unclear.")

    late = refused(talk, "mara", "decision.record", decision="offer", rationale="A tab left open.", version=1)

    assert (late.code, late.message) == (Code.NOT_LIVE, "Another debrief was opened since. Decide there.")
    assert Application.objects.get(pk=talk.scene.application.pk).decision == "no_offer"


def test_of_two_cards_of_a_person_the_one_later_in_the_loop_is_the_later_first_vote(cast: Cast) -> None:
    """Bo's first card, by number of its row, is of the interview that was held last."""
    scene = all_in(cast)
    earlier = make_interview(scene.application, lead=cast.bo, versions=scene.versions, status=InterviewStatus.LIVE)
    seat = seats_of(earlier)[0]
    asked = ask(seat, scene.probe("root"))
    judge(seat, asked, depth=1)
    end(earlier)
    submit(seat, Recommendation.STRONG_NO)
    for interview in (earlier, scene.interview):
        log.append(interview.room_id, [log.NewEvent("panel", "interview.start")], seat=None)

    Talk(scene).to("reading")

    kept = DebriefVote.objects.unsealed_for_compiling().filter(seat__person=cast.bo).order_by("version")
    assert [vote.recommendation for vote in kept] == ["strong_no", "no"]


def test_votes_are_read_by_who_may_still_be_there(talk: Talk) -> None:
    talk.to("discussing")
    theirs = {vote.seat_id for vote in DebriefVote.objects.visible_to(talk.cast.ana)}
    assert theirs == {talk.seats[name].pk for name in ("ana", "bo", "chen")}

    make_interview(talk.scene.application, lead=talk.cast.ana, versions=talk.scene.versions)

    assert {vote.seat_id for vote in DebriefVote.objects.visible_to(talk.cast.ana)} == {talk.seats["ana"].pk}
    assert not DebriefVote.objects.visible_to(talk.cast.mara).exists()


# --- the seal of the second vote --------------------------------------------------------------------------------------


def test_that_somebody_voted_is_heard_by_who_closes_the_round_alone(talk: Talk) -> None:
    talk.to("voting")
    before = {event.pk for event in Event.objects.all()}

    talk.do("ana", "vote.set", recommendation="no", version=0)
    talk.do("ana", "vote.set", recommendation="yes", version=1)

    news = Event.objects.exclude(pk__in=before).order_by("id")
    mine = {name: f"mine:{seat.code}" for name, seat in talk.seats.items()}
    assert [(event.stream, event.name) for event in news] == [
        (mine["mara"], "vote.cast"),
        (mine["ana"], "vote.set"),
        (mine["ana"], "vote.set"),
    ]
    assert "recommendation" not in news[0].data


def test_a_manager_on_the_panel_votes_and_hears_nothing_of_the_others_votes(talk: Talk) -> None:
    talk.scene.position.managers.add(talk.cast.ana)
    talk.cast.ana.roles.append("manager")
    talk.cast.ana.save()
    talk.do("ana", "debrief.start")
    talk.do("ana", "phase.next", leaves="reading")

    talk.do("bo", "vote.set", recommendation="yes", version=0)
    talk.do("ana", "vote.set", recommendation="yes", version=0)

    streams = set(Event.objects.filter(name="vote.cast").values_list("stream", flat=True))
    assert streams == {f"mine:{talk.seats['mara'].code}"}


def test_who_was_there_or_comes_later_stands_in_the_ledger_of_the_votes(talk: Talk) -> None:
    line = arrive(talk.seats["bo"].pk, talk.debrief.room_id)
    talk.to("voting")
    talk.do("ana", "vote.set", recommendation="no", version=0)
    assert not Reveal.objects.filter(what="votes").exists()

    talk.do("mara", "phase.next")
    depart(line, talk.debrief.room_id)
    # Chen did not vote again; what his card recommends is shown all the same.
    bo_saw = {("Bo", "Ana"), ("Bo", "Chen")}
    assert _saw() == bo_saw
    arrive(talk.seats["chen"].pk, talk.debrief.room_id)
    assert _saw() == bo_saw | {("Chen", "Ana"), ("Chen", "Bo")}


def _saw() -> set[tuple[str, str]]:
    rows = Reveal.objects.filter(what="votes").select_related("viewer", "seat__person")
    return {(row.viewer.name, row.seat.person.name if row.seat and row.seat.person else "") for row in rows}


# --- said twice, said late --------------------------------------------------------------------------------------------


def test_a_repeat_gets_its_first_answer_and_writes_nothing(talk: Talk) -> None:
    talk.to("voting")
    for who, name, data in (
        ("ana", "vote.set", {"recommendation": "no", "version": 0}),
        ("mara", "phase.next", {}),
        ("bo", "note.post", {"text": "Once"}),
        ("mara", "decision.record", {"decision": "offer", "rationale": "Once"}),
    ):
        command = uuid.uuid4()
        first = talk.do(who, name, command=command, **data)
        count = Event.objects.count()

        assert talk.do(who, name, command=command, **data) == first
        assert Event.objects.count() == count
        other = {"text": "Other"} if name != "note.post" else {"recommendation": "no", "version": 0}
        with pytest.raises(Refusal) as caught:
            talk.do(who, "note.post" if name != "note.post" else "vote.set", command=command, **other)
        assert caught.value.code == Code.ID_REUSED


def test_a_note_has_an_id_of_its_own(talk: Talk) -> None:
    talk.to("discussing")
    command = uuid.uuid4()
    talk.do("bo", "note.post", command=command, text="Bo's")

    assert refused(talk, "ana", "note.post", command=command, text="Ana's").code == Code.ID_REUSED


def test_who_builds_on_an_old_version_is_told_what_stands(talk: Talk) -> None:
    talk.to("voting")
    talk.do("ana", "vote.set", recommendation="no", reason="First device", version=0)
    stale = refused(talk, "ana", "vote.set", recommendation="yes", version=0)
    assert (stale.code, stale.current) == (
        Code.STALE,
        {"version": 1, "recommendation": "no", "reason": "First device"},
    )
    late = refused(talk, "mara", "phase.next", leaves="reading")
    assert (late.code, late.current) == (Code.STALE, {"phase": "voting"})
    talk.do("mara", "phase.next", leaves="voting")
    talk.do("mara", "decision.record", decision="offer", rationale="Yes.")
    again = refused(talk, "mara", "decision.record", decision="no_offer", rationale="No.")
    assert (again.code, again.current) == (Code.STALE, {"version": 1, "decision": "offer"})
    talk.do("mara", "decision.record", decision="no_offer", rationale="References.", version=1)
    assert list(DebriefDecision.objects.order_by("number").values_list("decision", flat=True)) == ["offer", "no_offer"]


def test_no_decision_is_a_vote_with_a_reason(talk: Talk) -> None:
    talk.to("voting")
    assert refused(talk, "ana", "vote.set", recommendation="no_decision", version=0).code == Code.BAD_FIELD
    assert refused(talk, "ana", "vote.set", recommendation="no_decision", reason=" ", version=0).code == Code.BAD_FIELD
    talk.do("ana", "vote.set", recommendation="no_decision", reason="I heard too little.", version=0)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("vote.set", {"recommendation": "maybe", "version": 0}),
        ("vote.set", {"recommendation": "yes", "version": -1}),
        ("vote.set", {"recommendation": "yes"}),
        ("note.post", {"text": "  "}),
        ("note.post", {"text": "x", "to": "ana"}),
        ("decision.record", {"decision": "offer", "rationale": ""}),
        ("phase.next", {"leaves": "tea"}),
    ],
)
def test_a_field_that_is_wrong_is_refused_with_words(talk: Talk, name: str, data: dict[str, Any]) -> None:
    assert refused(talk, "mara", name, **data).code == Code.BAD_FIELD


def test_a_command_of_another_room_is_unknown(talk: Talk) -> None:
    assert refused(talk, "mara", "probe.ask", probe="a/b").code == Code.UNKNOWN_COMMAND


def test_an_interview_that_is_reopened_or_new_shuts_the_debrief_until_all_is_in_again(talk: Talk) -> None:
    talk.to("voting")
    Interview.objects.filter(pk=talk.scene.interview.pk).update(
        status=InterviewStatus.LIVE, ended_at=None, started_at=timezone.now()
    )

    assert refused(talk, "ana", "vote.set", recommendation="yes", version=0).code == Code.NO_RIGHT
