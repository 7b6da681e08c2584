"""What is allowed when, and to whom: the states of an interview and the table of room commands, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType

from interviews.enums import JUDGES, InterviewStatus, Role

LEAD_AWAY_AFTER = timedelta(seconds=60)
"""With no socket of the lead for this long, an interviewer may take the lead."""
ENDS_ITSELF_AFTER = timedelta(hours=4)
"""An interview left alone ends this long after its last command, and says so."""

_SCHEDULED, _LIVE, _PAUSED, _ENDED = (
    InterviewStatus.SCHEDULED,
    InterviewStatus.LIVE,
    InterviewStatus.PAUSED,
    InterviewStatus.ENDED,
)
_RUNNING = frozenset({_LIVE, _PAUSED})
_OPEN = _RUNNING | {_SCHEDULED}
_STARTED = _RUNNING | {_ENDED}

_LEAD = frozenset({Role.LEAD})
_JUDGES = frozenset(JUDGES)
_PANEL = _JUDGES | {Role.OBSERVER}


class Refusal(StrEnum):
    """The codes of the wire that rights and states refuse with."""

    UNKNOWN_COMMAND = "unknown_command"
    NOT_LEAD = "not_lead"
    NO_RIGHT = "no_right"
    NOT_LIVE = "not_live"
    SUBMITTED = "submitted"


class Stream(StrEnum):
    """Audiences of a room. Where a command goes to two, the candidate's part is in `all` and the ack names `panel`."""

    ALL = "all"
    PANEL = "panel"
    MINE = "mine"


@dataclass(frozen=True, slots=True)
class Command:
    """Who may send it in which status, to whom it is told, and the status it leads to, if any."""

    roles: frozenset[Role]
    statuses: frozenset[InterviewStatus]
    streams: tuple[Stream, ...]
    leads_to: InterviewStatus | None = None


_TO_BOTH = (Stream.ALL, Stream.PANEL)
_TO_PANEL = (Stream.PANEL,)
_TO_ME = (Stream.MINE,)
_JUDGEMENT = Command(_JUDGES, _STARTED, _TO_ME)

COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "interview.start": Command(_LEAD, frozenset({_SCHEDULED}), _TO_BOTH, leads_to=_LIVE),
        "interview.pause": Command(_LEAD, frozenset({_LIVE}), _TO_BOTH, leads_to=_PAUSED),
        "interview.resume": Command(_LEAD, frozenset({_PAUSED}), _TO_BOTH, leads_to=_LIVE),
        "interview.end": Command(_LEAD, _RUNNING, _TO_BOTH, leads_to=_ENDED),
        "interview.reopen": Command(_LEAD, frozenset({_ENDED}), _TO_BOTH, leads_to=_LIVE),
        "lead.hand_over": Command(_LEAD, _OPEN, _TO_PANEL),
        "lead.take": Command(frozenset({Role.INTERVIEWER}), _OPEN, _TO_PANEL),
        "probe.ask": Command(_LEAD, frozenset({_LIVE}), _TO_PANEL),
        "probe.retract": Command(_LEAD, _RUNNING, _TO_PANEL),
        "probe.adhoc": Command(_LEAD, frozenset({_LIVE}), _TO_PANEL),
        "prompt.share": Command(_LEAD, _RUNNING, _TO_BOTH),
        "prompt.unshare": Command(_LEAD, _RUNNING, _TO_BOTH),
        "candidate.admit": Command(_LEAD, _OPEN, _TO_BOTH),
        "hand.raise": Command(_JUDGES - _LEAD, _RUNNING, _TO_PANEL),
        "hand.lower": Command(_JUDGES - _LEAD, _RUNNING, _TO_PANEL),
        "chat.post": Command(_PANEL, _OPEN, _TO_PANEL),
        "tree.edit": Command(_LEAD, _RUNNING, _TO_PANEL),
        "mark.set": _JUDGEMENT,
        "boundary.set": _JUDGEMENT,
        "evidence.add": _JUDGEMENT,
        "evidence.edit": _JUDGEMENT,
        "evidence.remove": _JUDGEMENT,
        "reason.add": _JUDGEMENT,
        "reason.edit": _JUDGEMENT,
        "reason.remove": _JUDGEMENT,
        "note.set": _JUDGEMENT,
    }
)

JUDGEMENTS = frozenset(name for name, command in COMMANDS.items() if command is _JUDGEMENT)

CLOSED_UNTIL_AMENDED = JUDGEMENTS | {"interview.reopen"}
"""What the sender's own submitted card closes. While they amend it, judgements are open again."""

PLANNING: Mapping[str, Mapping[InterviewStatus, InterviewStatus]] = MappingProxyType(
    {
        "move": MappingProxyType({_SCHEDULED: _SCHEDULED}),
        "cancel": MappingProxyType({_SCHEDULED: InterviewStatus.CANCELLED}),
        "no_show": MappingProxyType(
            dict.fromkeys((_SCHEDULED, _LIVE, _PAUSED), InterviewStatus.NO_SHOW),
        ),
        "end_itself": MappingProxyType({_LIVE: _ENDED, _PAUSED: _ENDED}),
    }
)
"""Changes of status that come from pages and the clock, not from the room: action -> {from: to}."""


def refusal(
    name: str, *, role: Role, status: InterviewStatus, card_submitted: bool = False, amending: bool = False
) -> Refusal | None:
    """Say why a seat's command is refused, or None. Rights come before states, so that a refusal tells no status.

    `card_submitted`: the sender's own card for this interview is in; `amending`: and they amend it.
    `not_lead` is said only to interviewers, who could take the lead; to all others a lead's command is `no_right`.
    """
    command = COMMANDS.get(name)
    if command is None:
        return Refusal.UNKNOWN_COMMAND
    if role not in command.roles:
        return Refusal.NOT_LEAD if command.roles == _LEAD and role == Role.INTERVIEWER else Refusal.NO_RIGHT
    if status not in command.statuses:
        return Refusal.NOT_LIVE
    if card_submitted and name in CLOSED_UNTIL_AMENDED and not (amending and name in JUDGEMENTS):
        return Refusal.SUBMITTED
    return None


def may_take_lead(*, role: Role, lead_away_for: timedelta | None) -> bool:
    """Whether the lead may be taken. `lead_away_for`: how long the lead has had no socket, None if connected."""
    return role == Role.INTERVIEWER and lead_away_for is not None and lead_away_for >= LEAD_AWAY_AFTER


def status_after(action: str, status: InterviewStatus) -> InterviewStatus | None:
    """The status a command of the room or an action of a page leads to from `status`; None where it is not allowed.

    A command that leads to no new status keeps the one it is allowed in. Unknown names are not allowed.
    """
    if action in PLANNING:
        return PLANNING[action].get(status)
    command = COMMANDS.get(action)
    if command is None or status not in command.statuses:
        return None
    return command.leads_to or status
