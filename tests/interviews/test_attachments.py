"""Files and links that candidates give: what is taken, under which name, and to whom it is handed."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from interviews.models import Attachment
from interviews.rules.uploads import LARGEST, MOST
from interviews.services.attachments import (
    BadFile,
    BadLink,
    Sent,
    add_attachments,
    media_type,
    with_files,
)
from people.models import AuditEntry
from tests.cast import Cast
from tests.support.factories import Scene, make_scene

pytestmark = pytest.mark.db


def zipped() -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    return memory.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("cv.pdf", b"%PDF-1.4", "application/pdf"),
        ("CV.PDF", b"%PDF-1.4", "application/pdf"),
        ("notes.txt", "Grüße 你好".encode(), "text/plain; charset=utf-8"),
        ("me.jpeg", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("me.png", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("cv.odt", zipped(), "application/vnd.oasis.opendocument.text"),
    ],
)
def test_media_type_takes_what_a_file_is(name: str, content: bytes, kind: str) -> None:
    assert media_type(Sent(name, content)) == kind


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cv.html", b"<script>alert(1)</script>"),
        ("cv.svg", b"<svg/>"),
        ("cv", b"%PDF-1.4"),
        ("cv.pdf", b"<html>"),
        ("cv.pdf", b""),
        ("cv.txt", b"\x00\x01"),
        ("cv.txt", b"\xff\xfe\x41"),
        ("cv.docx", b"%PDF-1.4"),
        ("cv.pdf", b"%PDF-" + b"0" * LARGEST),
    ],
)
def test_media_type_refuses_what_a_file_only_says_it_is(name: str, content: bytes) -> None:
    with pytest.raises(BadFile) as refused:
        media_type(Sent(name, content))

    assert refused.value.field == "documents"
    assert "cv" in refused.value.message


def test_add_keeps_files_under_names_of_ours(cast: Cast) -> None:
    scene = make_scene(cast)

    add_attachments(
        application=scene.application, files=[Sent("../Kim Lindqvist.pdf", b"%PDF-1.4")], links=[], written=[]
    )

    kept = Attachment.objects.get()
    assert kept.label == "Kim Lindqvist.pdf"
    assert kept.file.name.startswith("attachments/")
    assert "Kim" not in kept.file.name
    assert default_storage.exists(kept.file.name)


def test_add_takes_links_with_or_without_a_name_once(cast: Cast) -> None:
    scene = make_scene(cast)
    lines = ["My code https://code.example/kim", "https://blog.example/"]

    add_attachments(application=scene.application, files=[], links=lines, written=[])
    add_attachments(application=scene.application, files=[], links=lines, written=[])

    assert list(Attachment.objects.values_list("label", "url")) == [
        ("My code", "https://code.example/kim"),
        ("blog.example", "https://blog.example/"),
    ]


@pytest.mark.parametrize("line", ["javascript:alert(1)", "code.example/kim", "ftp://code.example", "x " + "https://"])
def test_add_refuses_what_is_no_web_address(cast: Cast, line: str) -> None:
    scene = make_scene(cast)

    with pytest.raises(BadLink) as refused:
        add_attachments(application=scene.application, files=[], links=[line], written=[])

    assert refused.value.field == "links"
    assert not Attachment.objects.exists()


def test_add_stops_at_a_number(cast: Cast) -> None:
    scene = make_scene(cast)

    with pytest.raises(BadFile):
        add_attachments(
            application=scene.application,
            files=[],
            links=[f"https://code.example/{n}" for n in range(MOST + 1)],
            written=[],
        )


def test_files_of_a_failed_transaction_are_not_kept(cast: Cast) -> None:
    application = make_scene(cast).application
    names: list[str] = []

    def keep_and_fail() -> None:
        with with_files() as written:
            add_attachments(application=application, files=[Sent("cv.pdf", b"%PDF-1")] * 2, links=[], written=written)
            names.extend(written)
            assert all(default_storage.exists(name) for name in names)
            add_attachments(application=application, files=[], links=["nowhere"], written=written)

    with pytest.raises(BadLink):
        keep_and_fail()

    assert len(names) == 2
    assert not any(default_storage.exists(name) for name in names)
    assert not Attachment.objects.exists()


def attached(scene: Scene) -> Attachment:
    add_attachments(
        application=scene.application, files=[Sent("Lebenslauf (für Sie).pdf", b"%PDF-1.4 x")], links=[], written=[]
    )
    return Attachment.objects.get()


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("mara", 200),
        ("ada", 200),
        ("ana", 200),
        ("bo", 200),
        ("dee", 200),
        ("eli", 403),
        ("nils", 404),
        ("sam", 404),
        ("cora", 404),
    ],
)
def test_attachment_is_for_those_who_prepare(client: Client, cast: Cast, name: str, status: int) -> None:
    file = attached(make_scene(cast))
    client.force_login(getattr(cast, name))

    answer = client.get(reverse("interviews:attachment", args=[file.code]))

    assert answer.status_code == status
    assert AuditEntry.objects.filter(action="attachment.read").count() == (status == 200)


def test_attachment_is_handed_out_as_a_file(client: Client, cast: Cast) -> None:
    file = attached(make_scene(cast))
    client.force_login(cast.mara)

    answer = client.get(reverse("interviews:attachment", args=[file.code]))

    assert answer.content == b"%PDF-1.4 x"
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == "attachment; filename*=UTF-8''Lebenslauf%20%28f%C3%BCr%20Sie%29.pdf"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer["Cache-Control"]


def test_attachment_that_is_a_link_or_gone_is_not_found(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    file = attached(scene)
    default_storage.delete(file.file.name)
    link = scene.application.attachments.create(label="Code", url="https://code.example")
    client.force_login(cast.mara)

    assert client.get(reverse("interviews:attachment", args=[file.code])).status_code == 404
    assert client.get(reverse("interviews:attachment", args=[link.code])).status_code == 404


def test_attachment_sends_a_visitor_to_sign_in(client: Client, cast: Cast) -> None:
    file = attached(make_scene(cast))

    assert client.get(reverse("interviews:attachment", args=[file.code])).status_code == 302
