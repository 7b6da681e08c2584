"""Writing words about a candidate: always a Text row of the application, so that erasing finds them."""

from __future__ import annotations

from interviews.enums import TextKind
from interviews.models import Application, Seat, Text
from interviews.models.text import new_salt, text_digest


def new_text(author: Seat, kind: TextKind, body: str, *, frozen: bool = False) -> Text:
    text = Text(application=author.interview.application, author=author, kind=kind, frozen=frozen)
    text.write(body)
    text.save()
    return text


# For what is written in the round trip of its event (interviews.log.append_with): (application, author, kind, *words).
INSERT_TEXT = (
    "INSERT INTO interviews_text (application_id, author_id, kind, body, salt, digest, frozen, written_at) "
    "SELECT %s, %s, %s, %s, %s, %s, false, clock_timestamp()"
)


def words(body: str) -> tuple[str, str, str]:
    """The words as columns: body, salt, digest."""
    salt = new_salt()
    return body, salt, text_digest(salt, body)


def rewrite(text: Text, body: str) -> None:
    text.write(body)
    text.save(update_fields=["body", "digest", "written_at"])


def text_about(application: Application, kind: TextKind, body: str) -> Text:
    """Write words that come from a page rather than from a seat: claims, excuses, reasons of changes."""
    text = Text(application=application, kind=kind)
    text.write(body)
    text.save()
    return text
