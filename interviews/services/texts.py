"""Writing words about a candidate: always a Text row of the application, so that erasing finds them."""

from __future__ import annotations

from interviews.enums import TextKind
from interviews.models import Application, Seat, Text


def new_text(author: Seat, kind: TextKind, body: str, *, frozen: bool = False) -> Text:
    text = Text(application=author.interview.application, author=author, kind=kind, frozen=frozen)
    text.write(body)
    text.save()
    return text


def rewrite(text: Text, body: str) -> None:
    text.write(body)
    text.save(update_fields=["body", "digest", "written_at"])


def text_about(application: Application, kind: TextKind, body: str) -> Text:
    """Write words that come from a page rather than from a seat: claims, excuses, reasons of changes."""
    text = Text(application=application, kind=kind)
    text.write(body)
    text.save()
    return text
