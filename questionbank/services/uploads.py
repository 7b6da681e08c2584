"""Bringing files in by the browser: kept, read, shown, and imported by a job that can be stopped.

Each step begins and ends with a conditional change of the upload's state, so that a job which runs again, a click that
comes twice and a cancellation at any moment all come to one end.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from people.files import clean_name
from people.jobs import enqueue
from people.models import Person
from people.refusal import Refused
from questionbank.enums import UploadFailure, UploadState
from questionbank.exchange.files import read_bytes
from questionbank.exchange.readings import Reading, findings
from questionbank.models import Upload, UploadFile
from questionbank.rules import may_write
from questionbank.services.importing import ImportRefused, import_readings
from questionbank.services.previews import digest_of, preview_of, refusal_of, tables_of
from questionbank.services.repeats import repeats_of
from questionbank.services.watching import Stopped, Watch

logger = logging.getLogger("sounding.uploads")

SMALL: Final = 50_000
"""Bytes of all files together that are read while the sender waits; more is read by a job."""
ARCHIVES: Final = (".xlsx", ".xmind")
"""Files that may be any size once unpacked: always read by a job."""
MOST_OPEN: Final = 10
KEPT_FOR: Final = timedelta(days=1)

READ_JOB: Final = "questionbank.read_upload"
IMPORT_JOB: Final = "questionbank.import_upload"
BEING_READ: Final = (UploadState.UPLOADED, UploadState.READING)
OPEN: Final = (*BEING_READ, UploadState.PREVIEW, UploadState.IMPORTING)


Rows: TypeAlias = int | QuerySet[Upload]
Progress: TypeAlias = Callable[[int, int], None]


def nothing(done: int, of: int) -> None:
    """Tell nobody how far it is."""


class NotNow(Refused):
    """The upload stands elsewhere by now."""


class BankChanged(Exception):
    """An import would do something else than was shown."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A file as it was sent: the name the browser gave, and its bytes."""

    name: str
    content: bytes


# --- what a person does


def start_upload(*, by: Person, files: Sequence[Sent]) -> Upload:
    """Keep the files and have them read: at once when they are small, else by a job. Raises Refused."""
    if Upload.objects.filter(by=by, state__in=OPEN).count() >= MOST_OPEN:
        raise Refused(
            _("You have %(n)d imports open. Cancel or finish one first.") % {"n": MOST_OPEN}, field="documents"
        )
    small = _small([(sent.name, len(sent.content)) for sent in files])
    with transaction.atomic():
        upload = Upload.objects.create(by=by)
        UploadFile.objects.bulk_create(
            UploadFile(upload=upload, position=place, name=name, size=len(sent.content), content=sent.content)
            for place, (name, sent) in enumerate(zip(_names(files), files, strict=True))
        )
        if not small:
            enqueue(READ_JOB, key=f"upload:{upload.pk}", upload=upload.pk)
    if small:
        work_on(upload.pk, read_upload)
    return upload


def set_columns(upload: Upload, columns: Mapping[int, Mapping[str, str]]) -> None:
    """Say what columns of tables hold, {position of the file: {name of a column: role}}, and read again.

    Raises NotNow.
    """
    with transaction.atomic():
        _move(upload.pk, (UploadState.PREVIEW,), UploadState.UPLOADED)
        for position, roles in columns.items():
            upload.files.filter(position=position).update(columns=dict(roles))
        small = _small(list(upload.files.values_list("name", "size")))
        if not small:
            enqueue(READ_JOB, key=f"upload:{upload.pk}", upload=upload.pk)
    if small:
        work_on(upload.pk, read_upload)


def confirm_upload(upload: Upload, *, digest: str) -> None:
    """Have imported what the preview with this digest says. Raises NotNow."""
    shown = Upload.objects.filter(pk=upload.pk, digest=digest).exclude(digest="")
    with transaction.atomic():
        _move(shown, (UploadState.PREVIEW,), UploadState.IMPORTING)
        enqueue(IMPORT_JOB, key=f"upload:{upload.pk}", upload=upload.pk)


def cancel_upload(upload: Upload) -> None:
    """Stop it wherever it stands; nothing of it stays. Raises NotNow when it is finished already."""
    with transaction.atomic():
        # While an import commits, this waits for it, and then finds it done.
        _move(upload.pk, OPEN, UploadState.CANCELLED)
        UploadFile.objects.filter(upload=upload).update(content=None)


# --- what jobs do


def read_upload(upload: int) -> None:
    """Read the files and write down what their import would do; nothing where the upload was cancelled meanwhile."""
    if not _try_move(upload, BEING_READ, UploadState.READING):
        return
    report, digest = _preview(upload)
    _show(upload, UploadState.READING, report, digest)


def read_upload_watched(upload: int) -> None:
    """As `read_upload`, in a job: says how far it is, and stops when it is cancelled."""
    if not _try_move(upload, BEING_READ, UploadState.READING):
        return
    with Watch(upload, UploadState.READING) as watch:
        try:
            report, digest = _preview(upload, watch)
        except Stopped:
            return
    _show(upload, UploadState.READING, report, digest)


def import_upload(upload: int) -> None:
    """Bring the files in as they were shown, in one transaction. Run again, it finds nothing left to do.

    Where the bank changed since, nothing is written and the new preview waits for another yes.
    """
    row = Upload.objects.select_related("by").defer("report").filter(pk=upload, state=UploadState.IMPORTING).first()
    if row is None:
        return
    if not (row.by.is_active and may_write(row.by.roles)):
        give_up(upload, UploadFailure.NO_RIGHT)
        return
    with Watch(upload, UploadState.IMPORTING) as watch:
        try:
            _import(row, watch)
        except Stopped:
            return
        except (BankChanged, ImportRefused):
            report, digest = _preview(upload)
            _show(upload, UploadState.IMPORTING, report, digest, changed_meanwhile=True)


def give_up(upload: int, failure: UploadFailure) -> None:
    """End an upload that can't go on; nothing of it is in the bank."""
    with transaction.atomic():
        if _try_move(upload, OPEN, UploadState.FAILED, failure=failure):
            UploadFile.objects.filter(upload=upload).update(content=None)


def sweep_uploads() -> int:
    """Delete what is older than a day. Return how many uploads."""
    _all, each = Upload.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return each.get("questionbank.Upload", 0)


# --- parts


def _small(files: Sequence[tuple[str, int]]) -> bool:
    """Whether files, each with name and size, are read while the sender waits."""
    return sum(size for _name, size in files) <= SMALL and not any(
        name.lower().endswith(ARCHIVES) for name, _size in files
    )


def work_on(upload: int, do: Callable[[int], None], *, let_through: tuple[type[Exception], ...] = ()) -> None:
    """Do it to the upload. What breaks is logged, and the upload fails in words; `let_through` is the caller's."""
    try:
        do(upload)
    except let_through:
        raise
    except Exception:  # a fault of ours, of whatever class: the sender waits for an end and must see one
        logger.exception("upload %s", upload)
        give_up(upload, UploadFailure.CRASHED)


def _import(row: Upload, watch: Watch) -> None:
    readings = _read(row.pk, watch)
    with transaction.atomic():
        report = import_readings(readings, by=row.by, progress=watch)
        if digest_of(report) != row.digest:
            raise BankChanged
        if not _try_move(row.pk, (UploadState.IMPORTING,), UploadState.DONE):
            raise Stopped
        UploadFile.objects.filter(upload=row).update(content=None)


def _files(upload: int) -> Iterator[UploadFile]:
    """Yield the files of an upload in their order, each with its bytes, one in memory at a time."""
    return UploadFile.objects.filter(upload=upload).order_by("position").iterator(chunk_size=1)


def _read(upload: int, watch: Progress = nothing) -> list[Reading]:
    readings = []
    for file in _files(upload):
        readings.append(read_bytes(bytes(file.content or b""), name=file.name, columns=file.columns))
        watch(0, 0)
    return readings


def _preview(upload: int, watch: Progress = nothing) -> tuple[dict[str, Any], str]:
    """Return what a page says of an import, and its digest, "" where there can be none."""
    # Why a text has no place is kept in words, and a job speaks no language of its own.
    by = Upload.objects.select_related("by").only("by").get(pk=upload).by
    with translation.override(by.language):
        return _preview_in_words(upload, watch)


def _preview_in_words(upload: int, watch: Progress) -> tuple[dict[str, Any], str]:
    readings = _read(upload, watch)
    tables = [table for file in _files(upload) for table in tables_of(file)]
    watch(0, 0)
    found = [*findings(readings), *repeats_of(readings)]
    watch(0, 0)
    try:
        report = import_readings(readings, dry_run=True, progress=watch)
    except ImportRefused as refused:
        return refusal_of(readings, refused.problems, tables), ""
    return preview_of(readings, report, found, tables), digest_of(report)


def _show(
    upload: int, state: UploadState, report: dict[str, Any], digest: str, *, changed_meanwhile: bool = False
) -> None:
    shown = {"report": report, "digest": digest, "changed_meanwhile": changed_meanwhile}
    _try_move(upload, (state,), UploadState.PREVIEW, **shown)


def _names(files: Sequence[Sent]) -> list[str]:
    """Return a name for each file by which its problems can be told from another's."""
    names: list[str] = []
    for sent in files:
        name = clean_name(sent.name)
        stem, dot, ending = name.rpartition(".")
        number = 2
        while name in names:
            name = f"{stem} ({number}){dot}{ending}"
            number += 1
        names.append(name[:160])
    return names


def _move(upload: Rows, states: Sequence[UploadState], state: UploadState, **fields: Any) -> None:
    if not _try_move(upload, states, state, **fields):
        raise NotNow(_("This import stands elsewhere by now. Look at it again."))


def _try_move(upload: Rows, states: Sequence[UploadState], state: UploadState, **fields: Any) -> bool:
    """Move an upload, named by number or as a query, on if it stands in one of the states; True if it did."""
    rows = Upload.objects.filter(pk=upload) if isinstance(upload, int) else upload
    finished = timezone.now() if state not in OPEN else None
    return bool(rows.filter(state__in=states).update(state=state, done=0, total=0, finished_at=finished, **fields))
