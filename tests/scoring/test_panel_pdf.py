"""The panel card as a PDF: its text, its tags, whom the seal lets, and a server that can't make one."""

from __future__ import annotations

import io

import pytest
from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from pypdf import PdfReader

from interviews.models import CandidateIdentity, Reveal, Text
from people.models import AuditEntry
from scoring.printing import libraries, pdf
from tests.cast import Cast
from tests.support.factories import Scene
from tests.support.pages import as_, words
from tests.support.panel_page import hand_in_all, make_judged_scene, url

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_judged_scene(cast)


def pdf_url(scene: Scene) -> str:
    return f"/applications/{scene.application.code}/panel.pdf"


def read(answer: HttpResponse) -> tuple[PdfReader, str]:
    reader = PdfReader(io.BytesIO(answer.content))
    return reader, " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def test_the_pdf_says_what_the_page_says_and_downloading_is_a_reveal(scene: Scene) -> None:
    answer = as_(hand_in_all(scene).cast.mara).get(pdf_url(scene))

    reader, text = read(answer)
    root = reader.trailer["/Root"]
    box = reader.pages[0].mediabox
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/pdf")
    assert (
        answer.headers["Content-Disposition"] == f'attachment; filename="panel-scorecard-{scene.application.code}.pdf"'
    )
    assert answer.headers["Cache-Control"].count("no-store") == 1
    assert reader.metadata is not None
    assert reader.metadata.title == "Panel scorecard: Kim Lindqvist"
    assert (root["/Lang"], root["/MarkInfo"]["/Marked"]) == ("en", True)
    assert sorted(round(side / 72 * 25.4) for side in (box.width, box.height)) == [210, 297]
    assert "Depth: raw 2.40 (Ana 3.2, Bo 1.7, Chen 2.3). Why: raw 3.50 (Ana 3.5)." in text
    assert "Recites." in text
    assert "This page does not decide." in text
    assert "downloaded by Mara on" in text
    assert [(row.viewer_id, row.what, row.rule) for row in Reveal.objects.all()] == [
        (scene.cast.mara.pk, "panel", "all_in")
    ]
    entry = AuditEntry.objects.get(action="panel.downloaded")
    assert (entry.actor_id, entry.data) == (scene.cast.mara.pk, {"number": 1})


def test_a_chinese_reader_gets_chinese_set_in_the_face_that_comes_along(scene: Scene) -> None:
    """Names outside GB 2312 too (喆), in fonts that are in the file itself."""
    CandidateIdentity.objects.update(name="李喆")
    Text.objects.filter(kind="evidence").update(body="八张卡上，通信占了一半时间")
    hand_in_all(scene)
    mara = scene.cast.mara
    mara.language = "zh-hans"
    mara.save()

    answer = as_(mara).get(pdf_url(scene))

    reader, text = read(answer)
    with translation.override("zh-hans"):
        headings = [str(_("Boundary map")), str(_("Where the panel disagrees"))]
    assert reader.trailer["/Root"]["/Lang"] == "zh-Hans"
    assert "李喆" in text
    assert "八张卡上，通信占了一半时间" in text
    assert [heading for heading in headings if heading not in text or heading.isascii()] == []
    fonts = [font.get_object() for page in reader.pages for font in page["/Resources"]["/Font"].values()]
    assert {font["/BaseFont"].partition("+")[2] for font in fonts} == {"Sounding-Sans-SC", "Sounding-Sans-SC-Bold"}


# --- who, and when not ------------------------------------------------------------------------------------------------


def test_before_there_is_a_card_to_read_the_address_leads_to_the_page(scene: Scene) -> None:
    client = as_(scene.cast.mara)

    answer = client.get(pdf_url(scene))

    assert (answer.status_code, answer.headers["Location"]) == (302, url(scene))
    assert as_(scene.cast.ana).get(pdf_url(scene)).status_code == 403
    assert as_(scene.cast.nils).get(pdf_url(scene)).status_code == 404
    assert not Reveal.objects.exists()


def test_without_pango_the_answer_names_the_packages(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is looked for as on a server that lacks it: under a name nothing answers to."""
    hand_in_all(scene)
    lacking = {"libnowhere-1.0.so.0": "libpango-1.0-0", "libnowhere-subset.so.0": "libharfbuzz-subset0"}
    monkeypatch.setattr(libraries, "LIBRARIES", lacking)

    answer = as_(scene.cast.mara).get(pdf_url(scene))

    assert answer.status_code == 503
    assert "apt-get install libpango-1.0-0 libharfbuzz-subset0" in words(answer)
    assert not Reveal.objects.exists()
    assert not AuditEntry.objects.filter(action="panel.downloaded").exists()


def test_a_failure_of_the_printer_is_said_in_words(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in_all(scene)
    monkeypatch.setattr(pdf, "SECONDS", 0.01)

    answer = as_(scene.cast.mara).get(pdf_url(scene))

    assert answer.status_code == 503
    assert "The PDF could not be made" in words(answer)
