"""What the panel says to each other in the room: a raised hand, a line of chat. Nothing of it is a judgement."""

from __future__ import annotations

from django.utils.translation import gettext as _

from interviews.enums import Revealed, RevealRule, Role, TextKind
from interviews.log import PANEL, Ack, NewEvent
from interviews.models import ChatLine, Reveal, Seat
from interviews.services.acting import Act
from interviews.services.conduct import question_named
from interviews.services.hands import take_down
from interviews.services.refusal import Code, Refusal
from interviews.services.reveals import record
from interviews.services.texts import new_text
from interviews.services.unchanged import UNCHANGED, Unchanged


def raise_hand(act: Act, *, probe: str | Unchanged = UNCHANGED) -> Ack:
    """Ask the lead for the word, and perhaps say which probe one would ask. A hand that is up is raised anew.

    It comes down when its owner lowers it or gets the lead, and when the probe wished for is asked (RoomView.hand_up).
    """
    act.lock()
    act.guard("hand.raise")
    wished = "" if isinstance(probe, Unchanged) else probe
    if wished:
        question_named(act.interview, wished)
    ack = act.append(NewEvent(PANEL, "hand.raise", {"probe": wished} if wished else {}))
    Seat.objects.filter(pk=act.seat.pk).update(hand_seq=ack.seq, hand_probe=wished)
    return ack


def lower_hand(act: Act) -> Ack:
    """Take one's hand down; one that came down meanwhile stays down, so that nobody is told off for being late."""
    act.lock()
    act.guard("hand.lower")
    take_down(Seat.objects.filter(pk=act.seat.pk))
    return act.append(NewEvent(PANEL, "hand.lower"))


def post_chat(act: Act, *, text: str) -> Ack:
    act.lock()
    act.guard("chat.post")
    if not act.interview.application.position.chat:
        raise Refusal(Code.NO_RIGHT, _("The chat is off for this position."))
    ack = act.append(NewEvent(PANEL, "chat.post", {"line": str(act.cause.command)}))
    ChatLine.objects.create(
        id=act.cause.command,
        interview=act.interview,
        seat=act.seat,
        seq=ack.seq,
        text=new_text(act.seat, TextKind.CHAT, text),
        made_at=act.made_at,
    )
    _name_in_the_ledger(act.seat)
    return ack


def _name_in_the_ledger(writer: Seat) -> None:
    """Write down, once for each, who can read this writer's lines from now on: everybody seated but the candidate."""
    known = Reveal.objects.filter(application=writer.interview.application_id, seat=writer, what=Revealed.CHAT)
    readers = (
        Seat.objects.filter(interview=writer.interview_id, removed_at__isnull=True)
        .exclude(role=Role.CANDIDATE)
        .exclude(pk=writer.pk)
        .exclude(person__in=known.values("viewer"))
    )
    seen = [(reader, writer.pk) for reader in readers.values_list("person", flat=True)]
    record(writer.interview.application, seen, what=Revealed.CHAT, rule=RevealRule.SEAT)


def read_chat(reader: Seat, writers: set[int]) -> None:
    """Write down that somebody opened a room in which these seats (pk) had written already."""
    if writers <= {reader.pk}:
        return
    application = reader.interview.application
    known = Reveal.objects.filter(application=application, viewer=reader.person, what=Revealed.CHAT)
    new = writers - {reader.pk} - set(known.values_list("seat", flat=True))
    seen = [(reader.person_id, writer) for writer in sorted(new)]
    record(application, seen, what=Revealed.CHAT, rule=RevealRule.SEAT)
