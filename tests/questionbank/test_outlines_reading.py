"""Picking a reader, encodings, limits, and files that are broken, hostile or not what they say."""

from __future__ import annotations

import io
import struct
import time
import zipfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from questionbank.exchange.outlines import ENDINGS, FORMATS, read_outline
from questionbank.exchange.outlines.archives import open_zip
from questionbank.exchange.outlines.decoding import MAX_UNPACKED, Unreadable
from questionbank.exchange.outlines.draft import Why
from questionbank.exchange.outlines.reasons import REASONS
from questionbank.exchange.outlines.workbook import MOST_CELLS
from questionbank.exchange.problems import WORDS
from tests.questionbank.outline_drafts import drawn, read, topic, workbook, xmind, zipped

pytestmark = pytest.mark.unit

unhurried = settings(deadline=None, max_examples=80)


def code_of(data: bytes, file: str, **options: int | str) -> str:
    draft = read_outline(data, file, **options)  # type: ignore[arg-type]
    assert draft.trees == []
    assert draft.unplaced == []
    (problem,) = draft.problems
    assert str(problem)
    return problem.code


# --- picking


def test_every_ending_names_a_format_and_a_format_can_be_named() -> None:
    assert set(ENDINGS.values()) == set(FORMATS)
    assert read("1. Why?\n", "BANK.MD").format == "markdown"
    assert drawn(read("1. Why?\n", "bank.rst", format="plain")) == "[]\n  Why?"


def test_unknown_ending_unknown_format_and_nothing_at_all() -> None:
    assert code_of(b"Why?", "bank.docx") == "outline_unknown"
    assert code_of(b"Why?", "bank.md", format="word") == "outline_unknown"
    assert code_of(b" \n", "bank.md") == "outline_empty"


def test_reasons_have_words() -> None:
    assert set(REASONS) == set(Why)


# --- encodings

CHINESE = "# 题库\n- 为什么“𠮷”难？\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, ends: str) -> None:
    data = CHINESE.replace("\n", ends).encode(encoding)
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")

    assert drawn(read(mark + data)) == "[题库]\n  为什么“𠮷”难？"


def test_bytes_in_no_encoding_and_no_text() -> None:
    assert code_of(b"- Why\xff\xff?\n", "bank.md") == "outline_encoding"
    assert code_of(b"\xff\xfe\x00", "bank.md") == "outline_encoding"
    assert code_of("- Why?".encode("utf-16-le"), "bank.csv") == "outline_binary"


def test_xml_says_its_encoding_itself() -> None:
    body = '<?xml version="1.0" encoding="GB2312"?><opml><body><outline text="为什么？"/></body></opml>'

    assert drawn(read(body.encode("gb2312"), "bank.opml")) == "[]\n  为什么？"
    assert drawn(read(body.encode(), "bank.opml")) == "[]\n  为什么？"


def test_characters_that_cannot_be_stored_are_left_out() -> None:
    assert drawn(read("- Why\x00 \x1bthis\ufffe?\n")) == "[]\n  Why this?"
    assert drawn(read('["Why \\ud800\\u0000this?"]', "bank.json")) == "[]\n  Why this?"
    assert drawn(read("- Why &#0;this&#xd800;?\n")) == "[]\n  Why \ufffdthis\ufffd?"


# --- limits


def test_files_above_the_limit_are_refused() -> None:
    assert code_of(b"- Why?\n" * 10, "bank.md", limit=50) == "outline_too_large"


def test_archives_that_unpack_to_too_much_are_refused_whether_they_say_so_or_lie() -> None:
    honest = zipped({"content.json": b" " * (MAX_UNPACKED + 1)})
    assert code_of(honest, "bank.xmind") == "outline_zip_size"

    lying = bytearray(honest)
    at = lying.rindex(b"PK\x01\x02")
    lying[at + 24 : at + 28] = struct.pack("<I", 100)
    assert open_zip(bytes(lying)).infolist()[0].file_size == 100
    assert code_of(bytes(lying), "bank.xmind") in ("outline_zip_size", "outline_zip", "outline_json")

    assert code_of(zipped({"xl/workbook.xml": b" " * (MAX_UNPACKED + 1)}), "bank.xlsx") == "outline_zip_size"


def test_archives_with_too_many_parts_are_refused() -> None:
    with pytest.raises(Unreadable):
        open_zip(zipped({f"{number}": b"" for number in range(2001)}))


def test_tables_that_are_too_wide_are_refused() -> None:
    wide = ",".join(f"c{number}" for number in range(20_000))

    assert code_of(f"question,{wide}\n".encode(), "bank.csv") == "outline_columns"
    assert code_of(workbook({"S": [["question", *range(600)]]}), "bank.xlsx") == "outline_columns"


def test_workbook_of_more_cells_than_are_read_is_refused() -> None:
    few = workbook({"S": [["Question"], ["Why?"], ["How?"], ["When?"]]}, {"S": ["A2:A3"]})
    parts = {name: zipfile.ZipFile(io.BytesIO(few)).read(name) for name in zipfile.ZipFile(io.BytesIO(few)).namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]

    rows = sheet.replace(b"</sheetData>", b'<row r="250000"><c r="A250000"/></row></sheetData>')
    merges = sheet.replace(b"</mergeCells>", b'<mergeCell ref="A2:A3"/>' * MOST_CELLS + b"</mergeCells>")

    assert [code_of(zipped(parts | {"xl/worksheets/sheet1.xml": one}), "bank.xlsx") for one in (rows, merges)] == [
        "outline_cells"
    ] * 2


def test_workbook_that_claims_a_million_rows_is_read_as_far_as_it_goes() -> None:
    data = workbook({"S": [["Question"], ["Why?"]]})
    parts = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            parts[name] = archive.read(name)
    sheet = parts["xl/worksheets/sheet1.xml"]
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'ref="A1:A2"', b'ref="A1:XFD1048576"')

    assert drawn(read(zipped(parts), "bank.xlsx")) == "[S]\n  Why?"


# --- broken and hostile

ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><opml><body><outline text="&b;"/></body></opml>'


@pytest.mark.parametrize(
    ("data", "file", "code"),
    [
        (ENTITIES.encode(), "bank.opml", "outline_xml_entities"),
        (b"<opml><body>", "bank.opml", "outline_xml"),
        (b"<html/>", "bank.opml", "outline_kind"),
        (b"<opml/>", "bank.mm", "outline_kind"),
        (b'{"a": [1,\n2', "bank.json", "outline_json"),
        (b"[" * 100_000, "bank.json", "outline_json_deep"),
        (b"12", "bank.json", "outline_json_empty"),
        (b"PK\x03\x04 no", "bank.xmind", "outline_zip"),
        (zipped({"other": b""}), "bank.xmind", "outline_part"),
        (zipped({"content.json": b"[{}]"}), "bank.xlsx", "outline_workbook"),
        (zipped({"content.xml": b"<a/>"}), "bank.xmind", "outline_kind"),
    ],
)
def test_what_cannot_be_read_is_one_problem(data: bytes, file: str, code: str) -> None:
    assert code_of(data, file) == code
    assert code in WORDS


@pytest.mark.parametrize("form", FORMATS)
@given(data=st.binary(max_size=400))
@example(data=b"\x00")
@example(data=b"PK\x05\x06" + b"\x00" * 18)
@unhurried
def test_any_bytes_give_a_draft(form: str, data: bytes) -> None:
    draft = read_outline(data, "bank", format=form)

    assert not draft.problems or not (draft.trees or draft.unplaced)


MARKDOWN = st.text("#-*1一、（）()[]<>`~|?？\n \tQA:.答问details/summary&\\=_!", max_size=120)


@pytest.mark.parametrize("form", ["markdown", "plain", "table", "array"])
@given(text=MARKDOWN)
@example(text="- `a` <br> `b` &amp; <b>`c`</b>\n")
@example(text="```a``` why?\n")
@unhurried
def test_any_text_gives_a_draft(form: str, text: str) -> None:
    assert read_outline(text.encode(), "bank", format=form).format == form


@given(text=MARKDOWN)
@unhurried
def test_any_titles_in_maps_give_a_draft(text: str) -> None:
    assert (
        read_outline(xmind(topic(text, topic(text, notes={"plain": {"content": text}}))), "bank.xmind").problems == []
    )


# --- how long it takes


@pytest.mark.parametrize(
    "unit",
    [
        "[a",
        "[![",
        "](",
        "<a href=",
        "<b",
        "`a``",
        "> ",
        "- ",
        "(1)",
        "| a ",
        "|-|\n",
        "<table>\n",
        "<details>\n",
        "```\n",
        "- a\n",
        "A. a\n",
        "{#",
        "&amp",
        "<!--",
    ],
)
def test_time_grows_with_the_file_and_not_with_its_square(unit: str) -> None:
    def seconds(size: int) -> float:
        data = (unit * (size // len(unit))).encode()
        started = time.process_time()
        read_outline(data, "bank.md")
        return time.process_time() - started

    # The least of a few: a collection of garbage, or a neighbour on the processor, only ever adds.
    small = min(seconds(20_000) for _ in range(3))

    # Eight times the size; square growth would be sixty-four.
    assert any(seconds(160_000) < 0.5 + 40 * small for _ in range(3))


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("bank.md", "\n".join("  " * depth + f"- why {depth}?" for depth in range(400))),
        ("bank.md", ">" * 3000 + " why?"),
        ("bank.md", "<details><summary>why?</summary>\n" * 3000 + "</details>\n" * 3000),
        ("bank.opml", "<opml><body>" + '<outline text="why?">' * 3000 + "</outline>" * 3000 + "</body></opml>"),
        ("bank.mm", "<map>" + '<node TEXT="why?">' * 3000 + "</node>" * 3000 + "</map>"),
        ("bank.json", "[" * 900 + '"why?"' + "]" * 900),
        ("bank.json", '{"question": "why?", "followups": [' * 300 + "]}" * 300),
    ],
)
def test_bottomless_nesting_is_read_as_far_as_it_goes(file: str, source: str) -> None:
    draft = read(source, file)

    assert draft.problems == []
    assert draft.trees or draft.unplaced
