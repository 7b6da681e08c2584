"""From a parsed command to the one service that carries it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import timedelta
from typing import Any
from uuid import UUID

from interviews.live import commands
from interviews.log import Ack
from interviews.services import at_once, conduct, marking, own_questions, panel_talk, reopening, statements
from interviews.services.acting import perform
from interviews.services.unchanged import UNCHANGED

SERVICES: dict[str, Callable[..., Ack]] = {
    "interview.start": conduct.start_interview,
    "interview.pause": conduct.pause_interview,
    "interview.resume": conduct.resume_interview,
    "interview.end": conduct.end_interview,
    "interview.reopen": reopening.reopen_interview,
    "lead.hand_over": conduct.hand_over_lead,
    "lead.take": conduct.take_lead,
    "probe.ask": conduct.ask_probe,
    "probe.adhoc": own_questions.ask_own,
    "probe.retract": conduct.retract_probe,
    "tree.edit": own_questions.edit_tree,
    "prompt.share": conduct.share_prompt,
    "prompt.unshare": conduct.unshare_prompt,
    "candidate.admit": conduct.admit_candidate,
    "hand.raise": panel_talk.raise_hand,
    "hand.lower": panel_talk.lower_hand,
    "chat.post": panel_talk.post_chat,
    "mark.set": marking.set_mark,
    "boundary.set": marking.set_boundary,
    "note.set": marking.set_note,
    "evidence.add": statements.add_evidence,
    "evidence.edit": statements.edit_evidence,
    "evidence.remove": statements.remove_evidence,
    "reason.add": statements.add_reason,
    "reason.edit": statements.edit_reason,
    "reason.remove": statements.remove_reason,
}

# The same in one round trip, for what rooms say most.
AT_ONCE: dict[str, Callable[..., Ack | None]] = {"mark.set": at_once.set_mark}


def carry_out(seat: int, command: UUID, name: str, data: dict[str, Any], age: timedelta) -> Ack:
    """Parse and do one command for a seat. Raises Refusal; then nothing has changed."""
    parsed = commands.parse(name, data)
    given = {spec.name: getattr(parsed, spec.name) for spec in fields(parsed)}
    return perform(
        SERVICES[name],
        seat=seat,
        command=command,
        digest=commands.digest(name, data),
        age=age,
        fields={field: value for field, value in given.items() if value is not UNCHANGED},
        at_once=AT_ONCE.get(name),
    )
