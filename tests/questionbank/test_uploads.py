"""Files brought in by the browser: read, shown, imported as shown, cancelled, run again."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from people.models import Job, Person
from people.refusal import Refused
from questionbank.enums import UploadFailure, UploadState
from questionbank.exchange.yaml import read
from questionbank.models import Tree, TreeVersion, Upload, UploadFile
from questionbank.services import uploads
from questionbank.services.importing import import_readings
from questionbank.services.uploads import (
    NotNow,
    Sent,
    cancel_upload,
    confirm_upload,
    give_up,
    import_upload,
    read_upload,
    read_upload_watched,
    start_upload,
    sweep_uploads,
)
from questionbank.services.watching import Watch
from questionbank.tasks import import_upload as import_task
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE

pytestmark = pytest.mark.db

FAULTY = SOURCE.replace("kind: probe", "kind: x")


def sent(source: str = SOURCE, name: str = "clocks.yaml") -> Sent:
    return Sent(name, source.encode())


def many(count: int) -> Sequence[Sent]:
    return [sent(SOURCE.replace("tree: clocks", f"tree: clocks-{n}"), f"{n}.yaml") for n in range(count)]


def again(upload: Upload) -> Upload:
    return Upload.objects.get(pk=upload.pk)


def confirmed(upload: Upload) -> Upload:
    confirm_upload(upload, digest=again(upload).digest)
    return again(upload)


def elsewhere(sql: str) -> tuple[int, int]:
    """Do it on another connection, as a page does while a job runs; return the first row."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute(sql)
            done, total = cursor.fetchone()
            return done, total
    finally:
        other.close()


# --- reading


@pytest.mark.parametrize("name", ["few.xlsx", "FEW.XMIND"])
def test_archives_are_read_by_a_job_whatever_their_size(cast: Cast, name: str) -> None:
    upload = start_upload(by=cast.cora, files=[sent(), Sent(name, b"PK\x03\x04")])

    assert again(upload).state == UploadState.UPLOADED
    assert Job.objects.filter(key=f"upload:{upload.pk}").exists()


def test_small_files_are_read_at_once_and_nothing_is_written(cast: Cast) -> None:
    upload = again(start_upload(by=cast.cora, files=[sent()]))

    assert upload.state == UploadState.PREVIEW
    assert upload.report["counts"]["added"] == 2
    assert [(tree["key"], tree["number"], tree["new"]) for tree in upload.report["trees"]] == [("clocks", 1, True)]
    assert upload.report["topics_added"] == [{"en": "Time"}]
    assert not Tree.objects.exists()
    assert not Job.objects.exists()


def test_large_files_are_read_by_a_job(transactional_db: None, cast: Cast) -> None:
    upload = start_upload(by=cast.cora, files=[sent(SOURCE + "# " + "x" * uploads.SMALL)])

    assert again(upload).state == UploadState.UPLOADED
    job = Job.objects.get(name=uploads.READ_JOB)
    assert job.data == {"upload": upload.pk}

    read_upload_watched(upload.pk)
    assert again(upload).state == UploadState.PREVIEW


def test_every_problem_of_every_file_is_kept_with_its_place(cast: Cast) -> None:
    upload = again(start_upload(by=cast.cora, files=[sent(), sent(FAULTY, "b.yaml"), sent("- a", "b.yaml")]))

    problems = [(one["file"], one["code"]) for one in upload.report["problems"]]
    assert problems == [("b (2).yaml", "not_mapping"), ("b.yaml", "not_choice")]
    with pytest.raises(NotNow):
        confirm_upload(upload, digest=upload.digest)


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [
        (b"", "a.yaml", "empty_file"),
        (b"\x00\x01\xff\xfe" * 40, "a.yaml", "not_utf8"),
        (b"tree: x", "a.exe", "unknown_ending"),
        (b"tree: x", "noending", "unknown_ending"),
        (b"a: &a [x]\nb: [*a,*a]", "a.yaml", "anchor"),
    ],
)
def test_hostile_files_are_problems_not_errors(cast: Cast, content: bytes, name: str, code: str) -> None:
    upload = again(start_upload(by=cast.cora, files=[Sent(name, content)]))

    assert upload.state == UploadState.PREVIEW
    assert code in [one["code"] for one in upload.report["problems"]]


def packed(*parts: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts:
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (packed(("content.json", b" " * 80_000_000)), "bomb.xmind"),
        (packed(("xl/worksheets/sheet1.xml", b"<c/>" * 20_000_000)), "bomb.xlsx"),
        (packed(("a.txt", b"no workbook")), "none.xlsx"),
        (b"PK\x03\x04 cut off", "cut.xlsx"),
        (b'<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY y "&x;&x;">]><opml><body>&y;</body></opml>', "lol.opml"),
        (b"\x00\x01\x02" * 400, "binary.md"),
        (b"[" * 100_000, "deep.json"),
    ],
)
def test_hostile_outlines_are_problems_not_errors(cast: Cast, content: bytes, name: str) -> None:
    upload = start_upload(by=cast.cora, files=[Sent(name, content)])
    read_upload(upload.pk)

    assert again(upload).state == UploadState.PREVIEW
    assert again(upload).report["problems"]


def test_a_file_above_the_limit_is_a_problem(cast: Cast, settings: Any) -> None:
    settings.BANK_FILE_BYTES = 100

    upload = again(start_upload(by=cast.cora, files=[sent()]))

    assert [one["code"] for one in upload.report["problems"]] == ["too_large"]


def test_a_reader_that_stumbles_ends_the_upload_and_not_the_page(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "read_bytes", lambda *args, **options: 1 / 0)

    upload = again(start_upload(by=cast.cora, files=[sent()]))

    assert (upload.state, upload.failure) == (UploadState.FAILED, UploadFailure.CRASHED)


def test_nobody_piles_uploads_up(cast: Cast) -> None:
    for _ in range(uploads.MOST_OPEN):
        upload = start_upload(by=cast.cora, files=[sent()])

    with pytest.raises(Refused):
        start_upload(by=cast.cora, files=[sent()])
    cancel_upload(upload)
    start_upload(by=cast.cora, files=[sent()])


# --- bringing it in


def test_import_does_what_the_preview_said(transactional_db: None, cast: Cast) -> None:
    upload = confirmed(start_upload(by=cast.cora, files=[sent()]))
    assert upload.state == UploadState.IMPORTING

    import_upload(upload.pk)

    done = again(upload)
    assert (done.state, done.finished_at is None) == (UploadState.DONE, False)
    version = TreeVersion.objects.get()
    assert (version.tree.key, version.number, version.created_by) == ("clocks", 1, cast.cora)
    assert list(UploadFile.objects.values_list("content", flat=True)) == [None], "the bytes go"


def test_a_job_that_runs_again_doubles_nothing(transactional_db: None, cast: Cast) -> None:
    upload = confirmed(start_upload(by=cast.cora, files=[sent()]))

    for _ in range(2):
        import_upload(upload.pk)

    assert TreeVersion.objects.count() == 1


def test_the_same_file_twice_changes_nothing(transactional_db: None, cast: Cast) -> None:
    import_readings([read(SOURCE.encode(), file="x")])

    upload = confirmed(start_upload(by=cast.cora, files=[sent()]))
    import_upload(upload.pk)

    assert again(upload).state == UploadState.DONE
    assert TreeVersion.objects.count() == 1


def test_a_bank_that_changed_meanwhile_is_shown_again_and_not_written(transactional_db: None, cast: Cast) -> None:
    upload = confirmed(start_upload(by=cast.cora, files=[sent(SOURCE.replace("minutes: 12", "minutes: 13"))]))
    import_readings([read(SOURCE.encode(), file="x")])

    import_upload(upload.pk)

    shown = again(upload)
    assert (shown.state, shown.changed_meanwhile) == (UploadState.PREVIEW, True)
    assert [tree["number"] for tree in shown.report["trees"]] == [2]
    assert TreeVersion.objects.count() == 1
    with pytest.raises(NotNow):
        confirm_upload(shown, digest=upload.digest)

    import_upload(confirmed(shown).pk)
    assert again(upload).state == UploadState.DONE
    assert TreeVersion.objects.count() == 2


def test_a_stale_page_cannot_confirm(cast: Cast) -> None:
    upload = start_upload(by=cast.cora, files=[sent()])

    with pytest.raises(NotNow):
        confirm_upload(upload, digest="0" * 64)
    with pytest.raises(NotNow):
        confirm_upload(upload, digest="")
    assert again(upload).state == UploadState.PREVIEW


def test_who_lost_the_right_imports_nothing(transactional_db: None, cast: Cast) -> None:
    upload = confirmed(start_upload(by=cast.cora, files=[sent()]))
    Person.objects.filter(pk=cast.cora.pk).update(roles=["interviewer"])

    import_upload(upload.pk)

    assert (again(upload).state, again(upload).failure) == (UploadState.FAILED, UploadFailure.NO_RIGHT)
    assert not Tree.objects.exists()


# --- stopping


def test_cancelled_before_the_job_begins_leaves_nothing(transactional_db: None, cast: Cast) -> None:
    upload = confirmed(start_upload(by=cast.cora, files=[sent()]))

    cancel_upload(upload)
    import_upload(upload.pk)

    assert again(upload).state == UploadState.CANCELLED
    assert not Tree.objects.exists()
    assert list(UploadFile.objects.values_list("content", flat=True)) == [None]


def test_cancelled_in_the_middle_leaves_nothing(
    transactional_db: None, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cancellation comes after the first trees are written, on another connection, as from a page."""
    monkeypatch.setattr("questionbank.services.importing.TOGETHER", 1)
    upload = confirmed(start_upload(by=cast.cora, files=many(3)))
    seen: list[tuple[int, int]] = []

    class Cancelling(Watch):
        def __call__(self, done: int, of: int) -> None:
            if done == 1 and not seen:
                assert Tree.objects.count() == 1, "something was written, in the job's own transaction"
                cancel = "UPDATE questionbank_upload SET state = 'cancelled', finished_at = now() RETURNING done, total"
                seen.append(elsewhere(cancel))
                self._next = 0.0
            super().__call__(done, of)

    monkeypatch.setattr(uploads, "Watch", Cancelling)
    import_upload(upload.pk)

    assert len(seen) == 1
    assert again(upload).state == UploadState.CANCELLED
    assert not Tree.objects.exists()


def test_progress_is_seen_while_the_import_is_still_open(
    transactional_db: None, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("questionbank.services.importing.TOGETHER", 1)
    monkeypatch.setattr("questionbank.services.watching.PAUSE", 0.0)
    upload = confirmed(start_upload(by=cast.cora, files=many(3)))
    seen: list[tuple[int, int]] = []

    class Seen(Watch):
        def __call__(self, done: int, of: int) -> None:
            super().__call__(done, of)
            seen.append(elsewhere("SELECT done, total FROM questionbank_upload"))

    monkeypatch.setattr(uploads, "Watch", Seen)
    import_upload(upload.pk)

    assert seen[-3:] == [(1, 3), (2, 3), (3, 3)]
    assert again(upload).state == UploadState.DONE


def test_what_is_imported_cannot_be_cancelled(transactional_db: None, cast: Cast) -> None:
    upload = confirmed(start_upload(by=cast.cora, files=[sent()]))
    import_upload(upload.pk)

    with pytest.raises(NotNow):
        cancel_upload(upload)
    assert again(upload).state == UploadState.DONE


def test_reading_stops_when_it_is_cancelled(transactional_db: None, cast: Cast) -> None:
    upload = start_upload(by=cast.cora, files=[sent(SOURCE + "# " + "x" * uploads.SMALL)])

    cancel_upload(upload)
    read_upload_watched(upload.pk)

    assert (again(upload).state, again(upload).report) == (UploadState.CANCELLED, {})


def test_a_job_that_breaks_says_so_and_is_not_tried_again(
    transactional_db: None, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = confirmed(start_upload(by=cast.cora, files=[sent()]))
    monkeypatch.setattr(uploads, "import_readings", lambda *args, **options: 1 / 0)

    import_task(str(Job.objects.get(name=uploads.IMPORT_JOB).pk))

    assert (again(upload).state, again(upload).failure) == (UploadState.FAILED, UploadFailure.CRASHED)
    assert Job.objects.get(name=uploads.IMPORT_JOB).done_at is not None
    assert list(UploadFile.objects.values_list("content", flat=True)) == [None]


def test_give_up_leaves_a_finished_upload_alone(transactional_db: None, cast: Cast) -> None:
    upload = confirmed(start_upload(by=cast.cora, files=[sent()]))
    import_upload(upload.pk)

    give_up(upload.pk, UploadFailure.CRASHED)

    assert again(upload).state == UploadState.DONE


def test_old_uploads_are_deleted(cast: Cast) -> None:
    old, new = (start_upload(by=cast.cora, files=[sent()]) for _ in range(2))
    Upload.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(hours=25))

    assert sweep_uploads() == 1

    assert [one.pk for one in Upload.objects.all()] == [new.pk]
    assert UploadFile.objects.count() == 1


def test_findings_are_kept_by_kind_with_the_first_few(cast: Cast) -> None:
    upload = again(start_upload(by=cast.cora, files=many(3)))

    groups = {group["code"]: group["count"] for group in upload.report["findings"]}
    assert groups["near_duplicate"] == 4
