"""What the bank's own forms make goes out as a file and comes back as it was."""

from __future__ import annotations

import contextlib

import hypothesis
import pytest
from django.db import transaction
from hypothesis import strategies as st

from people.refusal import Refused
from questionbank import queries
from questionbank.exchange.yaml import read
from questionbank.forms.beginning import NewTreeForm
from questionbank.limits import TITLE
from questionbank.models import TreeVersion
from questionbank.outline import version_hash
from questionbank.services import editing
from questionbank.services.drafting import new_topic, new_tree
from questionbank.services.exporting import text_of
from questionbank.services.importing import import_readings
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE

pytestmark = pytest.mark.db

SAID = st.text(max_size=40) | st.sampled_from(
    ["", "3D vision", "2026", "null", "~", "a__b", "e\u0301tat", "bell\x07", "流水线", "\u0958" * 70, "x" * TITLE]
)
FIELDS = st.sampled_from(["title", "prompt", "signals.strong", "anchors.depth.2"])
TAGS = st.sampled_from(["en", "zh-Hans", "de"])


def begin(cast: Cast, titles: dict[str, str], topic: str, language: str) -> TreeVersion:
    """A tree as the page makes it, or Refused."""
    sent = {"new_topic": topic, **{f"title-{tag}": words for tag, words in titles.items()}}
    form = NewTreeForm(sent, language=language)
    if not form.is_valid():
        raise Refused("the form says no")
    return new_tree(new_topic(form.topic_title, cast.cora), form.title, cast.cora)


@hypothesis.settings(
    deadline=None, max_examples=12, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
@hypothesis.given(
    titles=st.fixed_dictionaries({"en": SAID, "zh-Hans": SAID}),
    topic=SAID,
    language=st.sampled_from(["en", "zh-hans"]),
    edits=st.lists(st.tuples(FIELDS, TAGS, SAID), max_size=3),
)
@hypothesis.example(titles={"en": "Clocks", "zh-Hans": ""}, topic="时间", language="zh-hans", edits=[])
@hypothesis.example(titles={"en": "2026 plans", "zh-Hans": ""}, topic="3D", language="en", edits=[])
def test_what_the_forms_make_comes_back_from_its_file(
    cast: Cast, titles: dict[str, str], topic: str, language: str, edits: list[tuple[str, str, str]]
) -> None:
    with transaction.atomic():
        try:
            made = begin(cast, titles, topic, language)
        except Refused:
            hypothesis.reject()
        for name, tag, words in edits:
            with contextlib.suppress(Refused, editing.Conflict):
                editing.change_field(made, by=cast.cora, key="root", name=f"{name}.{tag}", was="", value=words)
        stored = queries.tree_version(made.tree.key, 1)

        reading = read(text_of(stored).encode(), file="x.yaml")

        assert reading.problems == ()
        [tree] = reading.trees
        assert (tree, version_hash(tree)) == (stored.outline, stored.version.content_hash)
        report = import_readings([reading])
        assert not report.changes[0].new
        assert report.topics_renamed == []
        transaction.set_rollback(True)


@pytest.mark.parametrize("promise", ["", "languages: []\n"])
def test_file_that_promises_no_language_goes_out_as_it_came(cast: Cast, promise: str) -> None:
    source = SOURCE.replace("languages: [en]\n", promise)

    import_readings([read(source.encode(), file="x.yaml")])

    assert text_of(queries.tree_version("clocks", 1)) == source


def test_text_without_words_is_refused_where_no_language_is_promised() -> None:
    source = SOURCE.replace("languages: [en]\n", "").replace("title: {en: Setting}", "title: {}")

    assert [(one.code, one.place) for one in read(source.encode(), file="x").problems] == [
        ("empty", "clock-next.title")
    ]
