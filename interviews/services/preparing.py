"""Writing for oneself before an interview: private, and over when it begins (from then on notes are the room's)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.enums import TextKind
from interviews.models import PreparationNote, Seat
from interviews.queries.preparation import may_prepare
from interviews.services.changing import lock_room
from interviews.services.texts import new_text, rewrite
from people.refusal import Refused


class NoteChanged(Refused):
    """Another window wrote meanwhile; `saved` is what stands there now."""

    def __init__(self, saved: PreparationNote) -> None:
        super().__init__(_("This was changed in another window meanwhile. Keep yours, or load the page again."))
        self.saved = saved


def keep_preparation(*, seat: Seat, text: str, version: int) -> PreparationNote:
    """Write the seat's note over the version it was made from (0: none). Raises NoteChanged, Refused."""
    with transaction.atomic():
        lock_room(seat.interview)
        if not may_prepare(seat, seat.interview):
            raise Refused(_("The interview has begun: write your notes in the room. This one stays as it is."))
        note = PreparationNote.objects.written_by(seat).select_related("text").first()
        if note is None:
            note = PreparationNote(seat=seat, text=new_text(seat, TextKind.PREPARATION, text), version=1)
            note.save()
        elif note.version != version:
            raise NoteChanged(note)
        else:
            rewrite(note.text, text)
            note.version, note.written_at = note.version + 1, timezone.now()
            note.save(update_fields=["version", "written_at"])
    return note
