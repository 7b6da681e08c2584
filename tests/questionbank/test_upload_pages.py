"""The pages of an import, and the bank as files to take along."""

from __future__ import annotations

import csv
import io
import zipfile
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from people.models import Person
from questionbank.enums import UploadState
from questionbank.exchange.yaml import read
from questionbank.models import Tree, Upload
from questionbank.services.importing import import_readings
from questionbank.services.uploads import import_upload, read_upload_watched
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE
from tests.support.factories import make_tree

pytestmark = [pytest.mark.db, pytest.mark.django_db]

LIST = "/bank/imports/"
HOSTILE = SOURCE.replace("Why do two clocks differ?", "<img src=x onerror=alert(1)>").replace(
    "Drift", "<script>1</script>"
)


def parse(response: Any) -> BeautifulSoup:
    assert response.status_code == 200
    return BeautifulSoup(response.content, "html.parser")


def one(soup: BeautifulSoup, selector: str) -> Tag:
    [tag] = soup.select(selector)
    return tag


def words(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def send(client: Client, *sources: tuple[str, str | bytes]) -> Any:
    files = [
        SimpleUploadedFile(name, source.encode() if isinstance(source, str) else source) for name, source in sources
    ]
    return client.post(LIST, {"documents": files}, follow=True)


@pytest.fixture
def curator(cast: Cast, client: Client) -> Client:
    client.force_login(cast.cora)
    return client


def test_upload_is_shown_in_words_before_anything_is_written(curator: Client) -> None:
    response = send(curator, ("clocks.yaml", SOURCE))

    soup = parse(response)
    assert words(one(soup, "h1")) == "What would change"
    assert [words(line) for line in soup.select(".imports-says li")] == [
        "1 new tree.",
        "2 probes are added.",
        "New topics: Time",
    ]
    assert [words(cell) for cell in soup.select(".imports-trees tbody tr > *")] == [
        "Clocks",
        "new, 2 probes",
        "Time",
        "clocks.yaml",
    ]
    assert not Tree.objects.exists()


def test_changed_tree_names_what_changes(curator: Client) -> None:
    import_readings([read(SOURCE.encode(), file="x")])

    soup = parse(send(curator, ("clocks.yaml", SOURCE.replace("minutes: 4", "minutes: 5"))))

    assert words(soup.select(".imports-trees td")[0]) == "version 2; changed: clock-next"
    assert [words(line) for line in soup.select(".imports-says li")] == [
        "1 tree gets a new version.",
        "1 probe changes.",
        "1 probe stays as it is.",
    ]


def test_open_version_is_named_with_who_began_it(curator: Client, cast: Cast) -> None:
    import_readings([read(SOURCE.encode(), file="clocks.yaml")], by=cast.ada)

    soup = parse(send(curator, ("clocks.yaml", SOURCE.replace("minutes: 4", "minutes: 5"))))

    assert "Version 1 of `clocks` is open, begun by Ada." in words(one(soup, "section[aria-labelledby=beside]"))


def test_known_file_offers_no_import(curator: Client) -> None:
    import_readings([read(SOURCE.encode(), file="x")])

    soup = parse(send(curator, ("clocks.yaml", SOURCE)))

    assert "there is nothing to import" in words(one(soup, "main"))
    assert not soup.select("form[action$='/confirm/']")


def test_all_problems_are_listed_with_file_line_and_key(curator: Client) -> None:
    faulty = SOURCE.replace("kind: probe", "kind: x").replace("en: e}", "de: e}")

    soup = parse(send(curator, ("a.yaml", faulty), ("b.yaml", "- a")))

    lines = [words(line) for line in soup.select(".imports-problems")[0].select("li")]
    assert [line.split(" ")[0].split(":")[0] for line in lines] == ["a.yaml", "a.yaml", "b.yaml"]
    assert "clock-next.kind" in lines[1] or "clock-next.kind" in lines[0]
    assert not soup.select("form[action$='/confirm/']")


def test_confirming_hands_it_to_a_job(curator: Client, cast: Cast) -> None:
    send(curator, ("clocks.yaml", SOURCE))
    upload = Upload.objects.get()

    soup = parse(curator.post(f"{LIST}{upload.code}/confirm/", {"digest": upload.digest}, follow=True))

    bar = one(soup, "[role=progressbar]")
    assert (bar["aria-valuemin"], bar["aria-valuemax"], bar.get("aria-valuenow")) == ("0", "100", None)
    assert one(soup, "#import-progress")["hx-trigger"] == "every 1s"
    assert Upload.objects.get().state == UploadState.IMPORTING


def test_progress_is_a_number_and_every_tenth_is_said(curator: Client) -> None:
    send(curator, ("clocks.yaml", SOURCE))
    upload = Upload.objects.get()
    Upload.objects.update(state=UploadState.IMPORTING, done=25, total=100)
    url = f"{LIST}{upload.code}/progress/"

    first = parse(curator.get(url, {"said": "1"}))
    assert one(first, "[role=progressbar]")["aria-valuenow"] == "25"
    assert words(one(first, "#live-polite")) == "25 of 100 trees written."
    assert "said=2" in str(one(first, "#import-progress")["hx-get"])

    assert not parse(curator.get(url, {"said": "2"})).select("#live-polite")
    for said in ("nonsense", "", "²", "٢", "-1", "1" * 5000):
        assert not parse(curator.get(url, {"said": said})).select("#live-polite"), said

    Upload.objects.update(state=UploadState.PREVIEW)
    assert curator.get(url).headers["HX-Refresh"] == "true"


@pytest.mark.django_db(transaction=True)
def test_finished_import_leads_to_its_trees(curator: Client) -> None:
    send(curator, ("clocks.yaml", SOURCE))
    upload = Upload.objects.get()
    curator.post(f"{LIST}{upload.code}/confirm/", {"digest": upload.digest})
    import_upload(upload.pk)

    soup = parse(curator.get(f"{LIST}{upload.code}/"))

    assert words(one(soup, "h1")) == "Imported"
    assert one(soup, ".imports-trees a")["href"] == "/bank/trees/clocks/"


def test_cancelling_says_that_nothing_stays(curator: Client) -> None:
    send(curator, ("clocks.yaml", SOURCE))
    upload = Upload.objects.get()

    response = curator.post(f"{LIST}{upload.code}/cancel/", follow=True)

    assert "Nothing of it is in the bank" in response.content.decode()
    assert Upload.objects.get().state == UploadState.CANCELLED
    again = curator.post(f"{LIST}{upload.code}/cancel/", follow=True)
    assert "stands elsewhere by now" in again.content.decode()


@pytest.mark.django_db(transaction=True)
def test_long_lists_have_pages_of_their_own(curator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("questionbank.views.uploads.A_PAGE", 40)
    send(curator, *[(f"{n}.yaml", SOURCE.replace("tree: clocks", f"tree: clocks-{n}")) for n in range(60)])
    upload = Upload.objects.get()
    read_upload_watched(upload.pk)

    soup = parse(curator.get(f"{LIST}{upload.code}/"))

    assert len(soup.select(".imports-trees tbody tr")) == 50
    [link] = [a for a in soup.select("main a") if words(a) == "All 60"]
    second = parse(curator.get(f"{link['href']}?page=2"))
    assert len(second.select(".imports-trees tbody tr")) == 20
    assert "41 to 60 of 60" in words(one(second, ".page__head p"))
    assert curator.get(f"{LIST}{upload.code}/all/report/").status_code == 404


def test_hostile_text_is_text(curator: Client) -> None:
    page = send(curator, ("clocks.yaml", HOSTILE), ('"><script>x.yaml', "- a")).content.decode()

    assert "<img src=x" not in page
    assert "<script>1" not in page
    assert "<script>x" not in page


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([], "This field is required."),
        ([("a.yaml", b"")], "The submitted file is empty."),
        ([("a.yaml", b"x" * 2000)], "a.yaml is larger than"),
        ([("a.yaml", b"x" * 900)] * 5, "Together the files are larger than"),
        ([("a.yaml", b"x")] * 101, "At most 100 files at once."),
    ],
)
def test_form_refuses_what_is_no_file_of_ours(
    curator: Client, settings: Any, files: list[tuple[str, bytes]], said: str
) -> None:
    settings.BANK_FILE_BYTES = 1000

    response = send(curator, *files)

    assert response.status_code == 422
    assert said in response.content.decode()
    assert not Upload.objects.exists()


def test_own_uploads_only(cast: Cast, curator: Client) -> None:
    send(curator, ("clocks.yaml", SOURCE))
    code = Upload.objects.get().code
    other = Person.objects.create(email="other@sounding.example", name="Other", roles=["curator"])
    curator.force_login(other)

    for path in ("", "progress/", "all/trees/"):
        assert curator.get(f"{LIST}{code}/{path}").status_code == 404
    for path in ("confirm/", "cancel/"):
        assert curator.post(f"{LIST}{code}/{path}").status_code == 404
    assert "clocks.yaml" not in curator.get(LIST).content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_list_asks_a_fixed_number_of_queries(curator: Client, django_assert_num_queries: Any, count: int) -> None:
    for _ in range(count):
        send(curator, *[(f"{n}.yaml", SOURCE) for n in range(count)])

    with django_assert_num_queries(4):
        assert curator.get(LIST).status_code == 200


# --- tables

TABLE = "Frage,Antwort,Owner\nWhat drifts?,Clocks,Kim\n,stray,\n"


def test_columns_that_say_nothing_are_given_their_roles(curator: Client) -> None:
    page = parse(send(curator, ("drift.csv", TABLE)))
    assert "No question was found. Say which column holds the questions." in words(one(page, "main"))
    assert words(page.select(".imports-problems li")[0]).startswith("drift.csv:1 Frage | Antwort | Owner")
    [link] = [a for a in page.select("main a") if words(a) == "What the columns hold"]

    columns = parse(curator.get(str(link["href"])))
    selects = {select["name"]: words(one(select, "option[selected]")) for select in columns.select("select")}
    assert set(selects.values()) == {"not read"}
    assert [words(cell) for cell in columns.select("tbody tr")[0].select("td")] == ["What drifts?", "Clocks", "Kim"]

    refused = curator.post(str(link["href"]), dict.fromkeys(selects, "ignored"))
    assert refused.status_code == 422
    assert "say which column holds the questions" in refused.content.decode()
    assert curator.post(str(link["href"]), dict.fromkeys(selects, "<b>")).status_code == 422

    roles = dict(zip(selects, ("question", "answer", "ignored"), strict=True))
    again = parse(curator.post(str(link["href"]), roles, follow=True))
    assert [words(cell) for cell in again.select(".imports-trees tbody th")] == ["What drifts?"]
    assert "drift.csv:3 stray" in words(one(again, "main"))
    assert "Nothing reads `Owner`." in words(one(again, "main"))
    kept = parse(curator.get(str(link["href"])))
    assert [words(one(select, "option[selected]")) for select in kept.select("select")] == [
        "question",
        "answer",
        "not read",
    ]


def test_words_of_a_file_are_marked_with_their_likely_language(curator: Client) -> None:
    table = "问题,答案,备注\n什么会漂移？,石英钟,张三\n,没有问题的答案,\n"
    page = parse(send(curator, ("drift.csv", table)))
    [link] = [a for a in page.select("main a") if words(a) == "What the columns hold"]
    columns = parse(curator.get(str(link["href"])))

    unplaced = page.select(".imports-problems .keep-lines")
    cells = [cell for cell in columns.select("tbody td") if words(cell)]
    assert unplaced
    assert cells
    assert {tag["lang"] for tag in (*unplaced, *cells)} == {"zh-Hans"}


def test_files_without_a_table_have_no_columns_to_name(curator: Client) -> None:
    send(curator, ("clocks.yaml", SOURCE))

    assert curator.get(f"{LIST}{Upload.objects.get().code}/columns/").status_code == 404


# --- taking it along


def test_tree_comes_as_the_file_it_came_from(cast: Cast, client: Client) -> None:
    import_readings([read(SOURCE.encode(), file="x")])
    client.force_login(cast.cora)

    response = client.get("/bank/trees/clocks/file/")

    assert response.content.decode() == SOURCE
    assert response["Content-Disposition"] == 'attachment; filename="clocks.yaml"'
    client.force_login(cast.ana)
    assert client.get("/bank/trees/clocks/file/").status_code == 404, "a draft is its curators'"


def test_bank_comes_as_an_archive_that_imports_as_it_is(cast: Cast, client: Client) -> None:
    import_readings([read(SOURCE.encode(), file="x")])
    make_tree("data-parallel")
    client.force_login(cast.cora)

    response = client.get("/bank/export/")

    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert sorted(archive.namelist()) == ["clocks.yaml", "data-parallel.yaml"]
        report = import_readings([read(archive.read(name), file=name) for name in archive.namelist()])
    assert (report.added, report.changed) == (0, 0)


def test_table_runs_nothing_in_a_spreadsheet(cast: Cast, client: Client) -> None:
    source = SOURCE.replace("Why do two clocks differ?", "=HYPERLINK(1)")
    import_readings([read(source.replace("{en: Drift}", "{en: '@SUM(1)'}").encode(), file="x")])
    client.force_login(cast.cora)

    text = client.get("/bank/export/probes/").content.decode()

    assert text.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert [(row["id"], row["parent"], row["level"]) for row in rows] == [
        ("clock-root", "", "1"),
        ("clock-next", "clock-root", "2"),
    ]
    assert rows[0]["question_en"] == "'=HYPERLINK(1)"
    assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for row in rows for cell in row.values())
