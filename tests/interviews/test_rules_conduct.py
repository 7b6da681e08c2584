from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from interviews.enums import InterviewStatus, Role
from interviews.rules import (
    COMMANDS,
    JUDGEMENTS,
    AskedAt,
    Override,
    Pause,
    Refusal,
    is_sound_override,
    may_take_lead,
    refusal,
    status_after,
    tree_times,
)

pytestmark = pytest.mark.unit

LEAD, INTERVIEWER, SHADOW, OBSERVER, CANDIDATE = Role
SCHEDULED, LIVE, PAUSED, ENDED, CANCELLED, NO_SHOW = InterviewStatus

# The protocol's table, written a second time so that a slip in either is seen.
WHO = {
    LEAD: {
        "interview.start", "interview.pause", "interview.resume", "interview.end", "interview.reopen",
        "lead.hand_over", "probe.ask", "probe.retract", "probe.adhoc", "prompt.share", "prompt.unshare",
        "candidate.admit", "chat.post", "tree.edit", *JUDGEMENTS,
    },
    INTERVIEWER: {"lead.take", "hand.raise", "hand.lower", "chat.post", *JUDGEMENTS},
    SHADOW: {"hand.raise", "hand.lower", "chat.post", *JUDGEMENTS},
    OBSERVER: {"chat.post"},
    CANDIDATE: set(),
}  # fmt: skip
WHEN = {
    SCHEDULED: {
        "interview.start", "lead.hand_over", "lead.take", "candidate.admit", "chat.post",
    },
    LIVE: set(COMMANDS) - {"interview.start", "interview.resume", "interview.reopen"},
    PAUSED: set(COMMANDS)
    - {"interview.start", "interview.pause", "interview.reopen", "probe.ask", "probe.adhoc"},
    ENDED: {"interview.reopen", *JUDGEMENTS},
    CANCELLED: set(),
    NO_SHOW: set(),
}  # fmt: skip


@pytest.mark.parametrize("status", InterviewStatus)
@pytest.mark.parametrize("role", Role)
def test_a_command_is_accepted_exactly_where_the_tables_say(role: Role, status: InterviewStatus) -> None:
    accepted = {name for name in COMMANDS if refusal(name, role=role, status=status) is None}

    assert accepted == WHO[role] & WHEN[status]


def test_judgements_are_the_marks_boundaries_statements_and_notes() -> None:
    assert sorted(JUDGEMENTS) == [
        "boundary.set", "evidence.add", "evidence.edit", "evidence.remove", "mark.set", "note.set",
        "reason.add", "reason.edit", "reason.remove",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "role", "status", "submitted", "code"),
    [
        ("probe.destroy", LEAD, LIVE, False, Refusal.UNKNOWN_COMMAND),
        ("probe.ask", INTERVIEWER, LIVE, False, Refusal.NOT_LEAD),
        ("probe.ask", INTERVIEWER, CANCELLED, False, Refusal.NOT_LEAD),
        ("probe.ask", OBSERVER, LIVE, False, Refusal.NO_RIGHT),
        ("mark.set", OBSERVER, LIVE, False, Refusal.NO_RIGHT),
        ("mark.set", CANDIDATE, LIVE, False, Refusal.NO_RIGHT),
        ("lead.take", SHADOW, LIVE, False, Refusal.NO_RIGHT),
        ("mark.set", LEAD, SCHEDULED, False, Refusal.NOT_LIVE),
        ("mark.set", LEAD, CANCELLED, True, Refusal.NOT_LIVE),
        ("mark.set", LEAD, ENDED, True, Refusal.SUBMITTED),
        ("note.set", SHADOW, LIVE, True, Refusal.SUBMITTED),
        ("interview.reopen", LEAD, ENDED, True, Refusal.SUBMITTED),
        ("interview.end", LEAD, LIVE, True, None),
    ],
)
def test_refusals_carry_the_code(
    name: str, role: Role, status: InterviewStatus, submitted: bool, code: Refusal | None
) -> None:
    assert refusal(name, role=role, status=status, card_submitted=submitted) == code


@pytest.mark.parametrize(
    ("action", "path"),
    [
        ("interview.start", {SCHEDULED: LIVE}),
        ("interview.pause", {LIVE: PAUSED}),
        ("interview.resume", {PAUSED: LIVE}),
        ("interview.end", {LIVE: ENDED, PAUSED: ENDED}),
        ("interview.reopen", {ENDED: LIVE}),
        ("probe.ask", {LIVE: LIVE}),
        ("move", {SCHEDULED: SCHEDULED}),
        ("cancel", {SCHEDULED: CANCELLED}),
        ("no_show", {SCHEDULED: NO_SHOW, LIVE: NO_SHOW, PAUSED: NO_SHOW}),
        ("end_itself", {LIVE: ENDED, PAUSED: ENDED}),
        ("explode", {}),
    ],
)
def test_status_after_follows_the_state_machine(action: str, path: dict[InterviewStatus, InterviewStatus]) -> None:
    reached = {status: status_after(action, status) for status in InterviewStatus}

    assert {status: after for status, after in reached.items() if after} == path


@pytest.mark.parametrize(
    ("role", "away", "allowed"),
    [
        (INTERVIEWER, timedelta(seconds=60), True),
        (INTERVIEWER, timedelta(seconds=59), False),
        (INTERVIEWER, None, False),
        (SHADOW, timedelta(hours=1), False),
        (LEAD, timedelta(hours=1), False),
    ],
)
def test_the_lead_can_be_taken_after_a_minute_without_a_socket(
    role: Role, away: timedelta | None, allowed: bool
) -> None:
    assert may_take_lead(role=role, lead_away_for=away) is allowed


@pytest.mark.parametrize(
    ("floor", "ceiling", "reason", "sound"),
    [
        (2, 3, "Heard on the pad.", True),
        (0, 1, "Heard on the pad.", True),
        (2, None, "Heard on the pad.", True),
        (2, 2, "Heard on the pad.", False),
        (3, 2, "Heard on the pad.", False),
        (-1, 2, "Heard on the pad.", False),
        (2, 3, "  ", False),
    ],
)
def test_an_override_needs_an_order_and_a_reason(floor: int, ceiling: int | None, reason: str, sound: bool) -> None:
    assert is_sound_override(Override(floor, ceiling, reason)) is sound


def at(minute: float) -> datetime:
    return datetime(2026, 3, 14, 10, tzinfo=UTC) + timedelta(minutes=minute)


def in_minutes(times: dict[str, timedelta]) -> dict[str, float]:
    return {tree: spent / timedelta(minutes=1) for tree, spent in times.items()}


def test_tree_times_run_from_each_ask_to_the_next_of_any_tree() -> None:
    asks = [AskedAt("a", at(0)), AskedAt("a", at(4)), AskedAt("b", at(9)), AskedAt("a", at(20))]

    assert in_minutes(tree_times(asks, end=at(26))) == {"a": 4 + 5 + 6, "b": 11}


def test_tree_times_leave_pauses_out_once() -> None:
    asks = [AskedAt("a", at(0)), AskedAt("b", at(10))]
    pauses = [Pause(at(8), at(12)), Pause(at(9), at(11)), Pause(at(18), None)]

    assert in_minutes(tree_times(asks, pauses=pauses, end=at(20))) == {"a": 8, "b": 6}


def test_tree_times_are_cut_at_the_end() -> None:
    asks = [AskedAt("a", at(0)), AskedAt("a", at(30)), AskedAt("b", at(31))]

    assert in_minutes(tree_times(asks, end=at(25))) == {"a": 25, "b": 0}


def test_tree_times_put_a_late_ask_where_it_was_made() -> None:
    asks = [AskedAt("a", at(0)), AskedAt("c", at(10)), AskedAt("b", at(4))]

    assert in_minutes(tree_times(asks, end=at(12))) == {"a": 4, "b": 6, "c": 2}


def test_tree_times_of_nothing_are_nothing() -> None:
    assert tree_times([], end=at(0)) == {}
