"""Files and links that a candidate gave: what is accepted, and how it is kept.

A file is kept under a name of ours; its own name, cleaned, is only its label. What it is, is decided by its ending and
checked against its first bytes, because it is handed out again under that type.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.translation import gettext as _

from interviews.models import Application, Attachment
from interviews.rules.uploads import LARGEST, MEGABYTE, MOST
from people.files import clean_name
from people.refusal import Refused

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
# ending -> (media type, what the file starts with; None: it must be text in UTF-8)
ACCEPTED: dict[str, tuple[str, bytes | None]] = {
    ".pdf": ("application/pdf", b"%PDF-"),
    ".txt": ("text/plain; charset=utf-8", None),
    ".md": ("text/plain; charset=utf-8", None),
    ".docx": (WORD, b"PK\x03\x04"),
    ".odt": ("application/vnd.oasis.opendocument.text", b"PK\x03\x04"),
    ".png": ("image/png", b"\x89PNG\r\n\x1a\n"),
    ".jpg": ("image/jpeg", b"\xff\xd8\xff"),
    ".jpeg": ("image/jpeg", b"\xff\xd8\xff"),
}


class BadFile(Refused):
    """The file is too large, of a kind we don't take, or not what its name says."""


class BadLink(Refused):
    """The link is no web address."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A file as it was sent: the name the browser gave, and its bytes."""

    name: str
    content: bytes


@contextmanager
def with_files() -> Iterator[list[str]]:
    """Open a transaction that takes its files along: those named in the list are deleted if it fails."""
    written: list[str] = []
    try:
        with transaction.atomic():
            yield written
    except BaseException:
        for name in written:
            default_storage.delete(name)
        raise


def add_attachments(
    *, application: Application, files: Iterable[Sent], links: Iterable[str], written: list[str]
) -> None:
    """Keep the files and links of an application. Links are lines "address" or "label address".

    Runs in the caller's `with_files`, to which `written` belongs. Raises BadFile, BadLink; then the caller rolls back.
    """
    checked = [(clean_name(sent.name), sent.content, media_type(sent)) for sent in files]
    addresses = [_link(line) for line in links]
    if application.attachments.count() + len(checked) + len(addresses) > MOST:
        raise BadFile(_("At most %(most)d files and links can be kept.") % {"most": MOST}, field="documents")
    known = set(application.attachments.exclude(url="").values_list("url", flat=True))
    for label, url in addresses:
        if url not in known:
            Attachment.objects.create(application=application, label=label, url=url)
    for label, content, kind in checked:
        attachment = Attachment(application=application, label=label, media_type=kind)
        attachment.file.save(f"{uuid.uuid4().hex}{ending(label)}", ContentFile(content), save=False)
        written.append(attachment.file.name)
        attachment.save()


def ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def media_type(sent: Sent) -> str:
    """Return the type under which the file may be kept and handed out. Raises BadFile, naming the file."""
    words = {"name": clean_name(sent.name), "kinds": ", ".join(sorted(ACCEPTED)), "most": LARGEST // MEGABYTE}
    if ending(sent.name) not in ACCEPTED:
        raise BadFile(_("%(name)s: files end in %(kinds)s.") % words, field="documents")
    if len(sent.content) > LARGEST:
        raise BadFile(_("%(name)s is larger than %(most)d MB.") % words, field="documents")
    if not sent.content:
        raise BadFile(_("%(name)s is empty.") % words, field="documents")
    kind, start = ACCEPTED[ending(sent.name)]
    if not (_is_text(sent.content) if start is None else sent.content.startswith(start)):
        raise BadFile(_("%(name)s is not what its ending says.") % words, field="documents")
    return kind


def _is_text(content: bytes) -> bool:
    try:
        return "\x00" not in content.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _link(line: str) -> tuple[str, str]:
    label, _gap, address = line.strip().rpartition(" ")
    try:
        URLValidator(schemes=["http", "https"])(address)
    except ValidationError:
        raise BadLink(_("%(line)s is no web address. Begin it with https://") % {"line": line}, field="links") from None
    if len(address) > 500:
        raise BadLink(_("This address is too long: %(line)s") % {"line": line[:80]}, field="links")
    return (label.strip() or address.split("//", 1)[1].rstrip("/"))[:160], address
