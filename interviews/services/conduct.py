"""Driving an interview: start, pause, end, who leads, what is asked, what the candidate sees."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews import bus, log
from interviews.enums import ConsentWord, InterviewStatus, Role, TextKind
from interviews.log import ALL, PANEL, Ack, NewEvent
from interviews.models import (
    AdHocProbe,
    Asked,
    Attendance,
    CandidateLink,
    Event,
    Interview,
    PinnedTree,
    Room,
    Seat,
    Stream,
)
from interviews.queries.own_trees import own_question
from interviews.rules.conduct import ENDS_ITSELF_AFTER, may_take_lead
from interviews.sealed import RUNNING
from interviews.services.acting import Act
from interviews.services.consents import require_consent
from interviews.services.hands import take_down
from interviews.services.owing import open_cards_owed
from interviews.services.refusal import Code, Refusal
from interviews.services.suggesting import suggest_what_was_new
from interviews.services.texts import new_text
from interviews.services.unchanged import UNCHANGED, Unchanged
from interviews.services.unsealing import note_unsealed
from people.compiled import Compiled
from people.jobs import enqueue
from people.lifecycle import interview_ended, rights_changed
from questionbank.models import Probe

# Events whose data names the lead from then on.
LEAD_EVENTS = ("interview.start", "lead.hand_over", "lead.take")
# Events after which the interview runs, or does not.
RUN_EVENTS = (
    "interview.start",
    "interview.pause",
    "interview.resume",
    "interview.end",
    "interview.cancel",
    "interview.no_show",
    "interview.reopen",
)
RUNS_AFTER = ("interview.start", "interview.resume", "interview.reopen")
# What an end comes after, whenever it was pressed.
BEFORE_AN_END = (*LEAD_EVENTS, *RUN_EVENTS, "probe.ask", "probe.adhoc")

AT_ONCE = timedelta(seconds=2)
"""An asking this young was made in the state in which it arrives: nobody leads, stops and goes on within it."""


def start_interview(act: Act, *, consent: ConsentWord | None = None) -> Ack:
    """Begin, once the candidate accepted what is recorded: at their link, or `consent` says that the lead heard it."""
    act.lock()
    act.guard("interview.start")
    heard = require_consent(act.interview, lead=act.seat, word=consent)
    act.interview.status = InterviewStatus.LIVE
    act.interview.started_at = timezone.now()
    act.interview.save(update_fields=["status", "started_at"])
    said = {"consent": ConsentWord.HEARD.value} if heard else {}
    return act.append(
        NewEvent(ALL, "interview.start"), NewEvent(PANEL, "interview.start", {"lead": str(act.seat.code), **said})
    )


def pause_interview(act: Act) -> Ack:
    return _switch(act, "interview.pause", InterviewStatus.PAUSED)


def resume_interview(act: Act) -> Ack:
    return _switch(act, "interview.resume", InterviewStatus.LIVE)


def _switch(act: Act, name: str, after: InterviewStatus) -> Ack:
    act.lock()
    act.guard(name)
    act.interview.status = after
    act.interview.save(update_fields=["status"])
    return act.append(NewEvent(ALL, name), NewEvent(PANEL, name))


def end_interview(act: Act) -> Ack:
    act.lock()
    act.guard("interview.end")
    before = Event.objects.filter(room=act.interview.room_id, stream=PANEL, name__in=BEFORE_AN_END)
    act.hold(before.aggregate(at=Max("made_at"))["at"] or act.made_at)
    ack = act.append(NewEvent(ALL, "interview.end"), NewEvent(PANEL, "interview.end", {"by_itself": False}))
    _end(act.interview, at=act.made_at)
    return ack


def _end(interview: Interview, *, at: datetime | None) -> None:
    """`at`: when it was ended; None: it ended by itself, when the last thing was done in it."""
    # Marks under way are committed before it is asked who marked; those that come later see that it has ended.
    mine = Stream.objects.filter(room=interview.room_id, name__startswith=f"{log.MINE}:")
    list(mine.select_for_update(no_key=True).order_by("name").values_list("pk"))
    interview.status = InterviewStatus.ENDED
    interview.ended_at = at or _last_done(interview)
    interview.ended_by_itself = at is None
    interview.save(update_fields=["status", "ended_at", "ended_by_itself"])
    open_cards_owed(interview)
    suggest_what_was_new(interview)
    _compile_if_marked_again(interview)
    note_unsealed(interview.application.candidate_id)  # whoever owes nothing may read at once, if all is in
    transaction.on_commit(lambda: _announce_end(interview.pk), robust=True)


def _last_done(interview: Interview) -> datetime | None:
    """When the last thing was done in it: what counts as the end of one that nobody ended."""
    return interview.last_command_at or interview.started_at


def _announce_end(interview: int) -> None:
    interview_ended.send(Interview, interview_id=interview)


def end_quiet_interviews() -> int:
    """End the interviews in which nothing was done for four hours, saying that they ended themselves."""
    silent = Q(last_command_at__lt=timezone.now() - ENDS_ITSELF_AFTER) | Q(
        last_command_at__isnull=True, started_at__lt=timezone.now() - ENDS_ITSELF_AFTER
    )
    ended = 0
    for pk, room in Interview.objects.filter(silent, status__in=RUNNING).values_list("pk", "room"):
        with transaction.atomic():
            Room.objects.select_for_update(no_key=True).get(pk=room)
            interview = Interview.objects.filter(silent, pk=pk, status__in=RUNNING).first()
            if interview is None:
                continue
            log.append(
                room,
                [NewEvent(ALL, "interview.end"), NewEvent(PANEL, "interview.end", {"by_itself": True})],
                seat=None,
                made_at=_last_done(interview),
            )
            _end(interview, at=None)
            ended += 1
    return ended


def hand_over_lead(act: Act, *, seat: UUID) -> Ack:
    act.lock()
    act.guard("lead.hand_over")
    heir = Seat.objects.filter(
        interview=act.interview, code=seat, role=Role.INTERVIEWER, removed_at__isnull=True
    ).first()
    if heir is None:
        raise Refusal(Code.BAD_FIELD, _("The lead can be handed to an interviewer of this room only."))
    return _pass_lead(act, current=act.seat, heir=heir, name="lead.hand_over")


def take_lead(act: Act) -> Ack:
    """Take over a lost lead: an interviewer, once the lead has had no socket for 60 seconds."""
    act.lock()
    act.guard("lead.take")
    current = Seat.objects.filter(interview=act.interview, role=Role.LEAD, removed_at__isnull=True).first()
    if current is not None:
        last = Attendance.objects.filter(seat=current).aggregate(at=Max(Coalesce("ended_at", "seen_at")))["at"]
        last = last or act.interview.started_at or act.interview.starts_at
        if not may_take_lead(role=Role(act.seat.role), lead_away_for=timezone.now() - last):
            raise Refusal(Code.NO_RIGHT, _("The lead can be taken once they have been away for 60 seconds."))
    return _pass_lead(act, current=current, heir=act.seat, name="lead.take")


def _pass_lead(act: Act, *, current: Seat | None, heir: Seat, name: str) -> Ack:
    if current is not None:
        current.role = Role.INTERVIEWER
        current.save(update_fields=["role"])
    heir.role = Role.LEAD
    take_down(Seat.objects.filter(pk=heir.pk), role=heir.role)  # who leads needs no hand
    room, seats = act.interview.room_id, [heir.pk, *([current.pk] if current else [])]
    transaction.on_commit(lambda: _announce_rights(room, seats), robust=True)
    return act.append(NewEvent(PANEL, name, {"lead": str(heir.code)}))


def _announce_rights(room: int, seats: list[int]) -> None:
    bus.rights(room)
    rights_changed.send(Room, room_id=room, seat_ids=seats)


def ask_probe(act: Act, *, probe: str) -> Ack:
    """Ask a probe: first, again, or going back are all the same. The command's id is the asked's.

    One made while its author held the lead is accepted late: it enters the log and does not move the current probe.
    So is one made before the current probe was asked.
    """
    late = begin_asking(act, "probe.ask")
    return add_asking(act, "probe.ask", {"probe": probe}, question_named(act.interview, probe), late=late)


def begin_asking(act: Act, name: str) -> bool:
    """Take the room for an asking; return whether it comes late. Raises Refusal unless it could be made then or now."""
    act.lock()
    could_now = act.seat.role == Role.LEAD and act.interview.status == InterviewStatus.LIVE
    took_place = act.interview.status in (*RUNNING, InterviewStatus.ENDED)
    if act.seat.removed_at is not None or not took_place:
        act.guard(name)
    if could_now and timezone.now() - act.made_at < AT_ONCE:
        return False
    could_not = _could_not_then(act)
    if could_not is not None:
        act.guard(name)  # in the words of now, where it can't be asked now either
        raise could_not
    current = act.interview.current
    return not could_now or (current is not None and act.made_at < current.made_at)


def add_asking(act: Act, name: str, said: dict[str, object], question: Probe | AdHocProbe, *, late: bool) -> Ack:
    """Write the asking and its event; unless late, it is the current one from now on."""
    data = {"asked": str(act.cause.command), **said}
    if late:
        data["late"] = True
    ack = act.append(NewEvent(PANEL, name, data))
    asked = Asked.objects.create(
        id=act.cause.command,
        interview=act.interview,
        probe=question if isinstance(question, Probe) else None,
        adhoc=question if isinstance(question, AdHocProbe) else None,
        by=act.seat,
        seq=ack.seq,
        made_at=act.made_at,
        late=late,
    )
    if not late:
        Interview.objects.filter(pk=act.interview.pk).update(current=asked)
    elif act.interview.status == InterviewStatus.ENDED:
        _compile(act.interview)
        note_unsealed(act.interview.application.candidate_id)  # before somebody owes a card by it
        open_cards_owed(act.interview)
    if act.interview.status != InterviewStatus.ENDED:
        _compile_if_marked_again(act.interview)
    return ack


def _compile_if_marked_again(interview: Interview) -> None:
    """Have the panel's card compiled if one of its cards is in: then the interview was reopened, and what is asked or
    taken back since is part of the panel's card at once, for who reads it opened early."""
    if Seat.objects.filter(interview=interview, card_submitted_at__isnull=False).exists():
        _compile(interview)


def _compile(interview: Interview) -> None:
    application = interview.application_id
    enqueue("scoring.compile_panel", key=f"panel:{application}", delay=1, application=application)


def _could_not_then(act: Act) -> Refusal | None:
    """Say why the author could not ask when they did; None where they held the lead of the running interview."""
    before = Event.objects.filter(room=act.interview.room_id, stream=PANEL, made_at__lte=act.made_at).order_by("-seq")
    running = before.filter(name__in=RUN_EVENTS).values_list("name", flat=True).first()
    if running not in RUNS_AFTER:
        return Refusal(Code.NOT_LIVE, _("The interview did not run when this was asked."))
    leading = before.filter(name__in=LEAD_EVENTS).values_list("data", flat=True).first()
    if leading is None or leading.get("lead") != str(act.seat.code):
        return Refusal(Code.NOT_LEAD, _("You did not lead when this was asked."))
    return None


_pinned_probe = Compiled(
    lambda interview, tree, key: Probe.objects.filter(
        version__in=PinnedTree.objects.filter(interview=interview).values("version"), version__tree__key=tree, key=key
    ),
    *(int, str, str),
)


def question_named(interview: Interview, name: str) -> Probe | AdHocProbe:
    """Fetch a probe of the pinned trees, or an own question of this interview, by its name on the wire."""
    tree, _slash, key = name.partition("/")
    question = next(iter(_pinned_probe(interview.pk, tree, key)), None) or own_question(interview, name)
    if question is None:
        raise Refusal(Code.BAD_FIELD, _("No tree of this interview has the probe %(name)s.") % {"name": name[:80]})
    return question


def retract_probe(act: Act, *, asked: UUID) -> Ack:
    """Undo an ask: its marks stay with their authors and count for nothing; the probe before is current again.

    What the candidate sees of it is taken away too.
    """
    act.lock()
    act.guard("probe.retract")
    row = asked_here(act.interview, asked)
    if row.retracted_at is not None:
        raise Refusal(Code.NOT_ASKED, _("This question was taken back already."))
    act.hold(row.made_at)
    row.retracted_at = timezone.now()
    row.save(update_fields=["retracted_at"])
    before = Asked.objects.filter(interview=act.interview, retracted_at__isnull=True, late=False).last()
    told = [NewEvent(PANEL, "probe.retract", {"asked": str(asked), "current": str(before.pk) if before else None})]
    changed: dict[str, Asked | None] = {"current": before}
    if act.interview.shared_id == row.pk:
        changed["shared"] = None
        told.append(NewEvent(ALL, "prompt.unshare"))
    Interview.objects.filter(pk=act.interview.pk).update(**changed)
    _compile_if_marked_again(act.interview)
    return act.append(*told)


def asked_here(interview: Interview, asked: UUID) -> Asked:
    row = Asked.objects.filter(interview=interview, pk=asked).first()
    if row is None:
        raise Refusal(Code.NOT_ASKED, _("This question was not asked in this interview."))
    return row


def share_prompt(act: Act, *, asked: UUID | Unchanged = UNCHANGED, text: str | Unchanged = UNCHANGED) -> Ack:
    act.lock()
    act.guard("prompt.share")
    if isinstance(asked, Unchanged) == isinstance(text, Unchanged):
        raise Refusal(Code.BAD_FIELD, _("Share either an asked question or a text."))
    data: dict[str, object]
    if not isinstance(asked, Unchanged):
        row = asked_here(act.interview, asked)
        if row.retracted_at is not None:
            raise Refusal(Code.NOT_ASKED, _("This question was taken back already."))
        Interview.objects.filter(pk=act.interview.pk).update(shared=row, shared_text=None)
        data = {"asked": str(asked)}
    else:
        words = new_text(act.seat, TextKind.SHARED, str(text))
        Interview.objects.filter(pk=act.interview.pk).update(shared=None, shared_text=words)
        data = {"text": words.pk}
    return act.append(NewEvent(ALL, "prompt.share", data), NewEvent(PANEL, "prompt.share", data))


def unshare_prompt(act: Act) -> Ack:
    act.lock()
    act.guard("prompt.unshare")
    Interview.objects.filter(pk=act.interview.pk).update(shared=None, shared_text=None)
    return act.append(NewEvent(ALL, "prompt.unshare"), NewEvent(PANEL, "prompt.unshare"))


def admit_candidate(act: Act) -> Ack:
    """Let the candidate in from the lobby; a second browser with their link is let in, the first one is closed."""
    act.lock()
    act.guard("candidate.admit")
    seat = Seat.objects.filter(interview=act.interview, role=Role.CANDIDATE, removed_at__isnull=True).first()
    link = CandidateLink.objects.filter(seat=seat, revoked_at__isnull=True).first() if seat else None
    if seat is None or link is None or link.joined_at is None:
        raise Refusal(Code.BAD_FIELD, _("The candidate has not come to the lobby yet."))
    if seat.admitted_at is None:
        seat.admitted_at = timezone.now()
        seat.save(update_fields=["admitted_at"])
    if link.pending_browser is not None:
        link.browser, link.pending_browser, link.pending_at = link.pending_browser, None, None
        link.save(update_fields=["browser", "pending_browser", "pending_at"])
    room = act.interview.room_id
    transaction.on_commit(lambda: _announce_rights(room, [seat.pk]), robust=True)
    return act.append(NewEvent(ALL, "candidate.admit"), NewEvent(PANEL, "candidate.admit", {"seat": str(seat.code)}))
