"""The commands of a debrief. Each runs under its room's lock, so that guards see what is certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews import log
from interviews.enums import Decision, TextKind
from interviews.log import PANEL, Ack, NewEvent
from interviews.models import Application, Room, Text
from interviews.services.refusal import Code, Refusal
from interviews.services.unchanged import UNCHANGED, Unchanged
from people import audit
from scoring.enums import DebriefPhase, Recommendation, VoteRound
from scoring.models import (
    Debrief,
    DebriefCommand,
    DebriefDecision,
    DebriefNote,
    DebriefSeat,
    DebriefVote,
    Revision,
)
from scoring.queries.debriefs import Part, card_voters, load_parts, own_vote
from scoring.queries.panel import interview_places
from scoring.rules.debrief import NEXT, refusal
from scoring.services.debriefs import see_votes, who_is_here


@dataclass(slots=True)
class DebriefAct:
    """One command being carried out by a seat that may be there; its debrief is read under the room's lock."""

    part: Part
    command: UUID

    @property
    def debrief(self) -> Debrief:
        return self.part.debrief

    @property
    def phase(self) -> DebriefPhase:
        return DebriefPhase(self.debrief.phase)

    def guard(self, name: str) -> None:
        code = refusal(name, runs=self.part.runs, votes=self.part.votes, phase=self.phase)
        if code == "no_right":
            raise Refusal(Code.NO_RIGHT, _("Your seat has no right to do this."))
        if code is not None:
            raise Refusal(Code.NOT_LIVE, PHASE_WORDS[self.phase]())

    def append(self, stream: str, name: str, data: dict[str, Any], *, version: int | None = None) -> Ack:
        """Append one event. Who did it and by which command stands in its data: seats of debriefs are scoring's."""
        said = {**data, "by": self.part.code, "cause": str(self.command)}
        return log.append(self.debrief.room_id, [NewEvent(stream, name, said)], seat=None, version=version)

    def text(self, body: str) -> Text:
        text = Text(application_id=self.debrief.application_id, kind=TextKind.DEBRIEF, frozen=True)
        text.write(body)
        text.save()
        return text

    def enter(self, phase: DebriefPhase, **values: Any) -> None:
        now = timezone.now()
        changed = {"phase": phase, "phase_since": now, **values}
        Debrief.objects.filter(pk=self.debrief.pk).update(**changed)
        for name, value in changed.items():
            setattr(self.debrief, name, value)


PHASE_WORDS: dict[DebriefPhase, Callable[[], str]] = {
    DebriefPhase.GATHERING: lambda: _("The debrief has not started."),
    DebriefPhase.READING: lambda: _("Everybody reads first."),
    DebriefPhase.VOTING: lambda: _("The second vote is going on."),
    DebriefPhase.DISCUSSING: lambda: _("The second vote is closed."),
    DebriefPhase.DECIDED: lambda: _("This debrief is decided."),
}


def perform(service: Callable[..., Ack], *, seat: int, command: UUID, digest: str, fields: dict[str, Any]) -> Ack:
    """Carry out one command in one transaction and return its ack: the first one, if it was accepted before.

    Raises Refusal; then nothing has changed.
    """
    try:
        with transaction.atomic():
            room = DebriefSeat.objects.values_list("debrief__room", flat=True).get(pk=seat)
            Room.objects.select_for_update(no_key=True).get(pk=room)
            known = DebriefCommand.objects.filter(seat=seat, command=command).first()
            if known is not None:
                if known.digest != digest:
                    raise _reused()
                return Ack(known.stream, known.seq, known.version)
            part = load_parts(pk=seat).get(seat)
            if part is None:
                raise Refusal(Code.NO_RIGHT, _("You no longer have a seat in this debrief."))
            ack = service(DebriefAct(part, command), **fields)
            DebriefCommand.objects.create(
                seat_id=seat, command=command, digest=digest, stream=ack.stream, seq=ack.seq, version=ack.version
            )
            return ack
    except IntegrityError as error:
        # A note has its command's id; somebody else's has it already.
        constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or ""
        if not constraint.endswith("_pkey"):
            raise
        raise _reused() from None


def _reused() -> Refusal:
    return Refusal(Code.ID_REUSED, _("This command's id was used before for something else."))


# --- phases -----------------------------------------------------------------------------------------------------------


def start_debrief(act: DebriefAct) -> Ack:
    """Begin to read in silence; keep what every card recommends at this moment as the first vote."""
    act.guard("debrief.start")
    _keep_first_votes(act.debrief)
    act.enter(DebriefPhase.READING, started_at=timezone.now())
    return act.append(PANEL, "debrief.start", {"phase": act.phase})


def next_phase(act: DebriefAct, *, leaves: DebriefPhase | Unchanged = UNCHANGED) -> Ack:
    """Go on to the vote, or close it and show it. `leaves` names the phase that the sender saw, so that two who press
    at once skip none."""
    act.guard("phase.next")
    if not isinstance(leaves, Unchanged) and leaves != act.phase:
        raise Refusal(
            Code.STALE, _("Somebody went on to the next phase already."), current={"phase": act.debrief.phase}
        )
    _keep_first_votes(act.debrief)  # of who submitted since, where it was opened early
    phase = NEXT[act.phase]
    act.enter(phase, **({"closed_at": timezone.now()} if phase == DebriefPhase.DISCUSSING else {}))
    see_votes(debrief=act.debrief, viewers=who_is_here(act.debrief))
    return act.append(PANEL, "phase.next", {"phase": act.phase})


def _keep_first_votes(debrief: Debrief) -> None:
    """Copy the newest recommendation of each card that is in and was not copied yet; a person may have several, which
    are kept in the order of the loop, so that the last one is what the panel's card takes."""
    cards = {card.pk: card for card in card_voters(debrief.application)}
    newest = {
        revision.seat_id: revision
        for revision in Revision.objects.unsealed_for_compiling().filter(seat__in=list(cards)).order_by("number")
    }
    kept = DebriefVote.objects.unsealed_for_compiling().filter(seat__debrief=debrief, round=VoteRound.BEFORE)
    known = list(kept.values_list("revision__seat", "seat__person"))
    copied, counts = {card for card, _person in known}, Counter(person for _card, person in known)
    places = interview_places([debrief.application_id])
    for pk in sorted(cards, key=lambda pk: (places[cards[pk].interview_id], pk)):
        revision, person = newest[pk], cards[pk].person_id
        if pk in copied or person is None:
            continue
        counts[person] += 1
        seat, _made = DebriefSeat.objects.get_or_create(debrief=debrief, person_id=person)
        DebriefVote(
            seat=seat,
            round=VoteRound.BEFORE,
            version=counts[person],
            recommendation=revision.recommendation,
            reason=revision.reason,
            revision=revision,
        ).save(force_insert=True)


# --- what is said -----------------------------------------------------------------------------------------------------


def set_vote(
    act: DebriefAct, *, recommendation: Recommendation, version: int, reason: str | Unchanged = UNCHANGED
) -> Ack:
    """Write one's second vote. Its author hears it; who is in charge and off the panel hears that there is one."""
    act.guard("vote.set")
    stands = own_vote(act.part.seat)
    current = stands.version if stands else 0
    if version != current:
        raise Refusal(
            Code.STALE,
            _("This was changed from another device in between."),
            current={
                "version": current,
                "recommendation": stands.recommendation if stands else None,
                "reason": (stands.reason.body or "") if stands and stands.reason else "",
            },
        )
    text = stands.reason if stands and isinstance(reason, Unchanged) else None
    if not isinstance(reason, Unchanged) and reason.strip():
        text = act.text(reason.strip())
    if recommendation == Recommendation.NO_DECISION and text is None:
        raise Refusal(Code.BAD_FIELD, _("Say why there is no decision."))
    DebriefVote(
        seat_id=act.part.seat,
        round=VoteRound.AFTER,
        version=current + 1,
        recommendation=recommendation,
        reason=text,
    ).save(force_insert=True)
    if not current:
        _tell_who_closes(act)
    said = {"recommendation": recommendation, "version": current + 1}
    return act.append(act.part.mine, "vote.set", said, version=current + 1)


def _tell_who_closes(act: DebriefAct) -> None:
    for part in load_parts(debrief=act.debrief).values():
        if part.runs and part.off_panel:
            act.append(part.mine, "vote.cast", {"seat": act.part.code})


def post_note(act: DebriefAct, *, text: str) -> Ack:
    act.guard("note.post")
    ack = act.append(PANEL, "note.post", {"note": str(act.command)})
    DebriefNote(id=act.command, seat_id=act.part.seat, seq=ack.seq, text=act.text(text)).save(force_insert=True)
    return ack


def record_decision(act: DebriefAct, *, decision: Decision, rationale: str, version: int = 0) -> Ack:
    """Decide, with the reason. `version` counts the decisions so far: who changes one says that they know it."""
    act.guard("decision.record")
    # What stands on the application is said by its newest debrief; opening one takes the same row.
    Application.objects.select_for_update(no_key=True).get(pk=act.debrief.application_id)
    if Debrief.objects.filter(application=act.debrief.application_id, pk__gt=act.debrief.pk).exists():
        raise Refusal(Code.NOT_LIVE, _("Another debrief was opened since. Decide there."))
    last = DebriefDecision.objects.filter(debrief=act.debrief).order_by("number").last()
    current = last.number if last else 0
    if version != current:
        raise Refusal(
            Code.STALE,
            _("Somebody decided in between. Read it first."),
            current={"version": current, "decision": last.decision if last else None},
        )
    now = timezone.now()
    DebriefDecision.objects.create(
        debrief=act.debrief,
        seat_id=act.part.seat,
        number=current + 1,
        decision=decision,
        rationale=act.text(rationale),
        at=now,
    )
    if act.phase != DebriefPhase.DECIDED:
        act.enter(DebriefPhase.DECIDED, decided_at=now)
    Application.objects.filter(pk=act.debrief.application_id).update(decision=decision, decided_at=now)
    audit.record(act.part.person, "application.decided", act.debrief.application, decision=decision, number=current + 1)
    said = {"decision": decision, "phase": act.phase, "version": current + 1}
    return act.append(PANEL, "decision.record", said, version=current + 1)
