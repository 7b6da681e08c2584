"""The tree editor over HTTP: what is answered after an edit, to whom, and at which cost."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from questionbank import queries
from questionbank.enums import VersionState
from questionbank.models import ProbeFigures, ReviewComment, TreeVersion, VersionStatus
from questionbank.services import editing
from questionbank.views import editor_words
from tests.cast import Cast
from tests.support.drafts import grown, make_draft
from tests.support.pages import as_, words

pytestmark = [pytest.mark.db, pytest.mark.django_db]

PROMPT = "What about l2 in clocks?"


@pytest.fixture
def draft() -> TreeVersion:
    return make_draft()


@pytest.fixture
def cora(cast: Cast) -> Client:
    return as_(cast.cora)


def url(name: str, **more: str) -> str:
    return reverse(f"questionbank:{name}", kwargs={"key": "clocks", "number": 1, **more})


def soup(response: Any) -> BeautifulSoup:
    return BeautifulSoup(response.content, "html.parser")


def ids(response: Any) -> set[str]:
    return {str(tag["id"]) for tag in soup(response).find_all(True, recursive=False) if tag.get("id")}


def one(response: Any, selector: str) -> Tag:
    found = soup(response).select(selector)
    assert len(found) == 1, selector
    return found[0]


def save(client: Client, **sent: str) -> Any:
    given = {"probe": "l2", "name": "prompt.en", "was": PROMPT, "value": "What then?", "seen": "0"}
    return client.post(url("edit-field"), given | sent)


def stored(key: str = "l2") -> Any:
    return next(probe for probe in queries.tree_version("clocks", 1).outline.probes if probe.key == key)


# --- pages


def test_page_draws_the_tree_with_one_item_a_probe(draft: TreeVersion, cora: Client) -> None:
    page = soup(cora.get(url("tree-edit")))

    rows = page.select("[role=tree] > [role=treeitem]")
    assert [(row["data-key"], row["data-parent"], row["data-level"]) for row in rows] == [
        ("root", "", "1"),
        ("l2", "root", "2"),
        ("l3", "l2", "3"),
        ("l4", "l3", "4"),
        ("l2-again", "l2", "2"),
        ("root-rescue", "root", "1"),
    ]
    assert not page.select("[role=treeitem] button, [role=treeitem] a")


def test_draft_is_found_without_its_number(draft: TreeVersion, cora: Client) -> None:
    assert cora.get("/bank/trees/clocks/edit/").status_code == 200
    assert cora.get("/bank/trees/nothing/edit/").status_code == 404


@pytest.mark.parametrize("state", [VersionState.IN_REVIEW, VersionState.PUBLISHED, VersionState.RETIRED])
def test_only_a_draft_is_opened_and_saved(draft: TreeVersion, cora: Client, state: VersionState) -> None:
    VersionStatus.objects.update(state=state, published_at="2026-01-01T00:00Z")

    page, answer = cora.get(url("tree-edit")), save(cora)

    assert (page.status_code, answer.status_code) == (409, 409)
    assert "Only a draft can be" in words(page)
    assert "Only a draft can be" in soup(answer).get_text()
    assert stored().prompt["en"] == PROMPT


def test_probe_has_a_field_for_each_text(draft: TreeVersion, cora: Client) -> None:
    page = soup(cora.get(url("edit-probe", probe="l2")))

    names = {str(field["name"]) for field in page.select("[name]")}
    assert {
        "prompt.en",
        "prompt.zh-Hans",
        "title.en",
        "heard.en",
        "signals.strong.en",
        "anchors.why.4.zh-Hans",
    } <= names
    assert {"kind", "aim.why", "when.partial", "minutes", "scored"} <= names
    assert page.select_one("[name='prompt.en']").get_text().strip() == PROMPT  # type: ignore[union-attr]
    assert "anchors.hands_on.0.en" not in names
    assert cora.get(url("edit-probe", probe="nobody")).status_code == 404


def test_open_comments_stand_above_their_probe(draft: TreeVersion, cast: Cast, cora: Client) -> None:
    comment = {"version": draft, "author": cast.ada}
    ReviewComment.objects.create(**comment, probe_key="l2", text="Too long")
    ReviewComment.objects.create(**comment, probe_key="l2", text="Done with", resolved_at="2026-01-01T00:00Z")
    ReviewComment.objects.create(**comment, probe_key="l3", text="Elsewhere")

    about = one(cora.get(url("edit-probe", probe="l2")), "#probe-about").get_text()

    assert "Too long" in about
    assert "Done with" not in about
    assert "Elsewhere" not in about


def test_figures_are_those_of_exactly_these_words(draft: TreeVersion, cora: Client) -> None:
    known = queries.tree_version("clocks", 1).probe("l2")
    ProbeFigures.objects.create(tree=draft.tree, probe_key="l2", content_hash=known.content_hash, asked=15)  # type: ignore[union-attr]
    assert "15 applications" in one(cora.get(url("edit-probe", probe="l2")), "#probe-about").get_text()

    save(cora)
    assert "applications" not in one(cora.get(url("edit-probe", probe="l2")), "#probe-about").get_text()


def test_root_has_no_condition_and_can_not_be_a_rescue(draft: TreeVersion, cora: Client) -> None:
    page = soup(cora.get(url("edit-probe", probe="root")))

    assert not page.select("[name^='when.'], [name^='heard.'], [name=kind][value=rescue]")


def test_words_of_the_bank_are_shown_never_run(draft: TreeVersion, cora: Client) -> None:
    evil = "</textarea><script>alert(1)</script><img src=x onerror=alert(1)>"
    save(cora, value=evil)

    for page in (cora.get(url("tree-edit")), cora.get(url("edit-probe", probe="l2")), cora.get(url("tree-walk"))):
        assert b"<script>alert" not in page.content
        assert b"<img" not in page.content
    assert stored().prompt["en"] == evil


# --- answers


def test_text_is_answered_with_its_row_alone(draft: TreeVersion, cora: Client) -> None:
    response = save(cora)

    assert response.status_code == 200
    assert ids(response) == {"row-l2", "draft-title", "draft-state", "editor-back", "editor-notice"}
    assert "What then?" in one(response, "#row-l2").get_text()
    assert one(response, "#draft-state")["data-seen"] == "1"
    assert "changed Prompt, English of l2" in one(response, "#draft-state").get_text()
    assert stored().prompt["en"] == "What then?"


def test_kind_is_answered_with_the_rows_whose_level_moved(draft: TreeVersion, cora: Client) -> None:
    response = save(cora, name="kind", was="probe", value="rescue")

    assert ids(response) == {
        *("row-l2", "row-l3", "row-l4", "row-l2-again"),
        *("draft-title", "draft-state", "editor-back", "editor-notice", "probe-form"),
    }


def test_move_is_answered_with_the_order(draft: TreeVersion, cora: Client) -> None:
    sent = {"probe": "l3", "was_parent": "l2", "was_after": "", "parent": "root", "after": "l2", "seen": "0"}
    response = cora.post(url("edit-move"), sent)

    assert one(response, "#tree-order")["data-order"] == "root l2 l2-again l3 l4 root-rescue"
    assert {"row-l3", "row-l4"} <= ids(response)
    assert "row-l2" not in ids(response)


def test_new_probe_comes_with_its_key(draft: TreeVersion, cora: Client) -> None:
    sent = {"parent": "root", "after": "l2", "prompt.en": "Why do they drift?", "kind": "probe", "aims": ["why"]}
    response = cora.post(url("edit-add"), sent)

    assert one(response, "#draft-state")["data-focus"] == "drift"
    assert stored("drift").prompt == {"en": "Why do they drift?"}

    above = cora.post(
        url("edit-add"), {"above": "drift", "prompt.zh-Hans": "为什么？", "kind": "check", "aims": ["why"]}
    )
    assert one(above, "#draft-state")["data-focus"] == "probe"
    assert stored("drift").parent == "probe"


def test_duplicate_remove_undo_and_redo(draft: TreeVersion, cora: Client) -> None:
    copied = cora.post(url("edit-duplicate"), {"probe": "l3", "seen": "0"})
    assert {"row-l3-2", "row-l4-2"} <= ids(copied)

    rows = {str(row["data-key"]): str(row["data-print"]) for row in soup(copied).select("[data-print]")}
    gone = cora.post(url("edit-remove"), {"probe": "l3-2", "shown": " ".join(f"{k}:{v}" for k, v in rows.items())})
    assert "l3-2" not in str(one(gone, "#tree-order")["data-order"]).split()

    back = cora.post(url("edit-back"), {"step": "undo"})
    assert "l3-2" in str(one(back, "#tree-order")["data-order"]).split()
    assert one(back, "#draft-state")["data-focus"] == "l3-2"
    assert "removed l3-2" in one(back, "#editor-back [data-do=redo]").get_text()

    assert cora.post(url("edit-back"), {"step": "redo"}).status_code == 200
    assert cora.post(url("edit-back"), {"step": "redo"}).status_code == 422


def test_language_is_begun(draft: TreeVersion, cora: Client) -> None:
    assert cora.post(url("edit-language"), {"tag": "de", "title": "Uhren"}).status_code == 200
    assert cora.post(url("edit-language"), {"tag": "de", "title": "Uhren"}).status_code == 422
    assert soup(cora.get(url("edit-probe", probe="l2"))).select("[name='prompt.de']")


def test_findings_name_their_probe(draft: TreeVersion, cora: Client) -> None:
    page = soup(cora.get(url("edit-findings")))

    assert page.select(".lint__kind--bad")
    assert page.select("a[data-goes=l2]")
    assert page.select_one("#editor-finds [data-of=l2]")


# --- both sides


def test_later_save_is_answered_with_both_texts(draft: TreeVersion, cast: Cast, cora: Client) -> None:
    save(cora, value="Cora's words")

    response = save(as_(cast.ada), value="Ada's <b>words</b>")

    assert response.status_code == 409
    conflict = one(response, "#conflict")
    assert {"Cora's words", "Ada's <b>words</b>"} <= {tag.get_text() for tag in conflict.select(".keep-lines")}
    assert (conflict["data-kind"], conflict["data-theirs"]) == ("field", "Cora's words")
    assert "Cora" in conflict.get_text()
    assert stored().prompt["en"] == "Cora's words"
    assert save(as_(cast.ada), was="Cora's words", value="Ada's words").status_code == 200


@pytest.mark.parametrize(
    ("field", "was", "hers", "mine", "language"),
    [
        ("prompt.zh-Hans", "l2 怎么样？", "她", "我", "zh-Hans"),
        ("minutes", "3", "4", "5", None),
        ("anchors.why.3.en", "why 3", "Hers", "Mine", "en"),
    ],
)
def test_texts_of_a_conflict_are_in_their_language(
    draft: TreeVersion, cast: Cast, cora: Client, field: str, was: str, hers: str, mine: str, language: str | None
) -> None:
    save(cora, name=field, was=was, value=hers)

    response = save(as_(cast.ada), name=field, was=was, value=mine)

    assert [tag.get("lang") for tag in one(response, "#conflict").select(".keep-lines")] == [language] * 2


@pytest.mark.parametrize("name", ["aim.why", "when.partial", "scored", "minutes", "nothing.en"])
def test_fields_without_text_have_no_language(name: str) -> None:
    assert editor_words.language(name) == ""


def test_page_that_fell_behind_is_given_all_rows(draft: TreeVersion, cast: Cast, cora: Client) -> None:
    editing.duplicate_probe(draft, by=cast.ada, key="l4")

    response = save(cora)

    assert {"row-l4-2", "row-root", "row-l2"} <= ids(response)
    assert "l4-2" in str(one(response, "#tree-order")["data-order"]).split()
    assert one(response, "#draft-state").has_attr("data-caught-up")
    assert one(response, "#draft-state")["data-seen"] == "2"


def test_edit_of_what_is_gone_offers_to_bring_it_back(draft: TreeVersion, cast: Cast, cora: Client) -> None:
    outline = queries.tree_version("clocks", 1).outline
    editing.remove_probe(
        draft,
        by=cast.ada,
        key="l4",
        shown={"l4": editing.fingerprint(next(p for p in outline.probes if p.key == "l4"))},
    )

    response = save(cora, probe="l4", was="What about l4 in clocks?", value="Mine")

    assert response.status_code == 409
    assert one(response, "#conflict")["data-kind"] == "gone"
    assert "Mine" in one(response, "#conflict").get_text()
    assert cora.post(url("edit-back"), {"step": "restore", "probe": "l4"}).status_code == 200
    assert stored("l4")


# --- bad input, rights


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("edit-field", {}),
        ("edit-field", {"name": "minutes", "probe": "l2", "was": "3", "value": "many"}),
        ("edit-field", {"name": "minutes", "probe": "l2", "was": "3", "value": "3\x00"}),
        ("edit-field", {"name": "nonsense.of.all.sorts", "probe": "l2", "was": "", "value": "x"}),
        ("edit-field", {"name": "minutes", "probe": "", "was": "15", "value": "999"}),
        ("edit-field", {"name": "prompt.en", "probe": "l2", "was": PROMPT, "value": "x" * 3000}),
        ("edit-field", {"name": "prompt.en", "probe": "l2", "was": PROMPT, "value": "x" * 50_000}),
        ("edit-add", {}),
        ("edit-add", {"parent": "root", "kind": "probe", "aims": ["why"]}),
        ("edit-add", {"parent": "root", "kind": "riddle", "aims": ["why"], "prompt.en": "x"}),
        ("edit-add", {"kind": "probe", "aims": ["why"], "prompt.en": "x"}),
        ("edit-move", {}),
        ("edit-move", {"probe": "l2", "was_parent": "root", "parent": "l4"}),
        ("edit-move", {"probe": "root", "parent": "l4"}),
        ("edit-duplicate", {}),
        ("edit-duplicate", {"probe": "root"}),
        ("edit-remove", {"probe": "l2"}),
        ("edit-back", {"step": "sideways"}),
        ("edit-back", {"step": "restore", "probe": "l2"}),
        ("edit-language", {"tag": "!", "title": "x"}),
    ],
)
def test_bad_input_is_said_and_changes_nothing(
    draft: TreeVersion, cora: Client, name: str, sent: dict[str, Any]
) -> None:
    before = queries.tree_version("clocks", 1).outline

    response = cora.post(url(name), sent)

    assert response.status_code in {409, 422}
    assert one(response, "#editor-notice").get_text().strip()
    assert queries.tree_version("clocks", 1).outline == before


def test_only_curators_and_administrators_edit(draft: TreeVersion, cast: Cast) -> None:
    for name, status in (("ada", 200), ("cora", 200), ("mara", 403), ("ana", 403), ("eli", 403)):
        client = as_(getattr(cast, name))
        assert client.get(url("tree-edit")).status_code == status
        assert client.get(url("edit-probe", probe="l2")).status_code == status
        assert save(client, was=stored().prompt["en"], value=f"By {name}").status_code == status


# --- cost


PAGE, TEXT, PANEL, FINDINGS = 12, 19, 8, 7


@pytest.mark.parametrize("number", [1, 200])
def test_a_large_tree_costs_the_same_queries(draft: TreeVersion, cora: Client, number: int) -> None:
    grown(draft, number)
    cora.get(url("tree-edit"))
    counts = []
    for ask in (
        lambda: cora.get(url("tree-edit")),
        lambda: save(cora),
        lambda: cora.get(url("edit-probe", probe="l2")),
        lambda: cora.get(url("edit-findings")),
    ):
        with CaptureQueriesContext(connection) as captured:
            assert ask().status_code == 200
        counts.append(len(captured))

    assert counts == [PAGE, TEXT, PANEL, FINDINGS]


# --- walking


def test_walk_offers_what_an_answer_leads_to(draft: TreeVersion, cast: Cast, cora: Client) -> None:
    editing.change_field(draft, by=cast.cora, key="l2", name="when.sustained", was="", value="1")

    asked = soup(cora.get(url("tree-walk")))
    missed = soup(cora.get(url("tree-walk"), {"at": "root", "heard": "not_sustained"}))

    assert [link.get_text() for link in asked.select(".walk__go span[lang]")] == [
        PROMPT,
        "What about root-rescue in clocks?",
    ]
    assert [link.get_text() for link in missed.select(".walk__go span[lang]")] == ["What about root-rescue in clocks?"]
    assert PROMPT in missed.select_one(".walk__next--others").get_text()  # type: ignore[union-attr]
    assert cora.get(url("tree-walk"), {"at": "nobody", "heard": "nothing"}).status_code == 200
    assert as_(cast.ana).get(url("tree-walk")).status_code == 404
