"""Nothing is lost: every word of a generated outline stands in a topic, a prompt, an answer, or among the unplaced."""

from __future__ import annotations

import csv
import io
from itertools import count
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from questionbank.exchange.outlines import OutlineDraft, read_outline, trees_of
from questionbank.lint.structure import flaws
from tests.questionbank.outline_drafts import topic, xmind

pytestmark = pytest.mark.unit

thorough = settings(deadline=None, max_examples=250)

# Each %s becomes a word of its own.
TEXTS = st.sampled_from(
    [
        *("What is %s?", "%s", "Explain %s", "%s: a thing", "说说%s", "为什么%s？", "`a?` %s", "**%s?**", "**%s**"),
        *(
            "Q: %s?",
            "A: %s",
            "Answer: %s",
            "Follow-up: %s",
            "问：%s？",
            "答：%s",
            "追问：%s？",
            "Q2. %s",
            "Key points: %s",
        ),
        *(
            "[%s](http://x.example)",
            "[%s?](http://x.example/z?a)",
            "A. %s",
            "B. %s",
            "<b>%s</b>",
            "%s <br> x",
            "%s ***",
        ),
        *("Contents %s", "**Q: %s?** %s", "TODO %s", "**%s?** and %s", "%s { }", "> %s", "### %s?", "View answer %s"),
        *("`%s` <code>%s</code> &amp; `x`", "%s（4 题）"),
    ]
)
MARKS = st.sampled_from(
    ["- ", "* ", "1. ", "2. ", "3) ", "（1）", "一、", "①", "1、", "a) ", "+ ", "• ", "", "- [ ] ", "1.1 ", "(2) "]
)
INDENTS = st.sampled_from(["", "", "  ", "    ", "\t", "   ", "      "])
LABELS = st.sampled_from(
    ["## Question", "## Answer", "### Follow-up", "**Answer:**", "## Contents", "**Follow-ups:**", "问：", "答案："]
)
LINES = st.one_of(
    st.builds("{}{}{}".format, INDENTS, MARKS, TEXTS),
    st.builds("{}{}{}".format, INDENTS, MARKS, TEXTS),
    st.builds("{} {}{}".format, st.sampled_from(["#", "##", "###"]), st.sampled_from(["", "1. ", "2.1 "]), TEXTS),
    st.just(""),
    st.builds("{0}```\n{0}%s?\n{0}```".format, INDENTS),
    st.builds(
        "| {} |\n|---|---|\n| {} | {} |\n".format, st.sampled_from(["Question | Answer", "a | %s"]), TEXTS, TEXTS
    ),
    st.builds(
        "<details><summary>{}</summary>\n{}{}\n</details>".format,
        st.just("Answer") | TEXTS,
        st.sampled_from(["", "\n"]),
        TEXTS,
    ),
    st.sampled_from(["---", "***", "===", "<details>", "</details>"]),
    LABELS,
    TEXTS,
)


def filled(text: str) -> tuple[str, list[str]]:
    """Put a word of its own in every place; return the text and the words."""
    parts = text.split("%s")
    words = [f"w{number}x" for number, _part in zip(count(), parts[1:], strict=False)]
    return "".join(part + word for part, word in zip(parts, [*words, ""], strict=True)), words


def everything(draft: OutlineDraft) -> str:
    texts = [name for tree in draft.trees for name in tree.topic] + [one.text for one in draft.unplaced]
    for tree in draft.trees:
        texts += [text for _level, question in tree.probes() for text in (question.prompt, question.answer or "")]
    return "\n".join(texts)


def check(draft: OutlineDraft, words: list[str]) -> None:
    found = everything(draft)
    assert [word for word in words if word not in found] == []
    assert [flaws(tree) for tree in trees_of(draft).trees] == [[]] * len(draft.trees)
    # What stands under another question is no root, and nothing is placed twice.
    prompts = [id(question) for tree in draft.trees for _level, question in tree.probes()]
    assert len(prompts) == len(set(prompts))


@pytest.mark.parametrize("ending", ["md", "txt"])
@given(lines=st.lists(LINES, min_size=1, max_size=14))
@example(lines=["## Question", "①TODO %s", "问："])
@example(lines=["2. **%s**", "<details><summary>A. %s</summary>", "Q2. %s", "</details>"])
@thorough
def test_no_word_of_a_document_is_lost(ending: str, lines: list[str]) -> None:
    text, words = filled("\n".join(lines))
    assume(not text.lstrip().startswith(("---", "+++")))  # front matter is furniture, and goes silently
    if text.strip():
        check(read_outline(text.encode(), f"bank.{ending}"), words)


CELLS = st.one_of(st.just(""), TEXTS, st.sampled_from(["-", "N/A", "1", "2", "3"]))
HEADERS = st.lists(
    st.sampled_from(
        [
            "Topic",
            "Question",
            "Answer",
            "Follow-up",
            "follow_up_1",
            "follow_up_1_answer",
            "Level",
            "id",
            "parent",
            "类别",
        ]
    ),
    min_size=1,
    max_size=6,
    unique=True,
)


@given(header=HEADERS, rows=st.lists(st.lists(CELLS, min_size=6, max_size=6), max_size=8))
@thorough
def test_no_cell_of_a_table_is_lost(header: list[str], rows: list[list[str]]) -> None:
    stream = io.StringIO()
    csv.writer(stream).writerows([header, *(row[: len(header)] for row in rows)])
    text, words = filled(stream.getvalue())
    draft = read_outline(text.encode(), "bank.csv")

    # Ids, levels and columns that are named as unread are no text of the bank; follow-ups stand in the root's topic.
    idle = {"Level", "id", "parent", "Topic", "类别", *draft.unread}
    kept = [
        word
        for row in csv.reader(io.StringIO(text))
        for name, cell in zip(header, row, strict=False)
        if name not in idle
        for word in words
        if word in cell
    ]
    check(draft, kept)


NODES = st.recursive(TEXTS, lambda inner: st.tuples(TEXTS, st.lists(inner, max_size=4)), max_leaves=12)


def as_opml(node: object) -> str:
    title, below = node if isinstance(node, tuple) else (node, [])
    return f"<outline text={quoteattr(title)}>{''.join(map(as_opml, below))}</outline>"


def as_topic(node: object) -> dict[str, object]:
    title, below = node if isinstance(node, tuple) else (node, [])
    return topic(title, *map(as_topic, below))


@given(NODES)
@thorough
def test_no_title_of_an_outline_is_lost(node: object) -> None:
    text, words = filled(f"<opml><body>{as_opml(node)}</body></opml>")
    check(read_outline(text.encode(), "bank.opml"), words)


@given(NODES)
@thorough
def test_no_title_of_a_map_is_lost(node: object) -> None:
    import_words: list[str] = []

    def fill(one: dict[str, object]) -> dict[str, object]:
        parts = str(one["title"]).split("%s")
        words = [f"w{len(import_words) + number}x" for number in range(len(parts) - 1)]
        import_words.extend(words)
        one["title"] = "".join(part + word for part, word in zip(parts, [*words, ""], strict=True))
        children = one.get("children")
        for child in children["attached"] if isinstance(children, dict) else []:
            fill(child)
        return one

    check(read_outline(xmind(fill(as_topic(node))), "bank.xmind"), import_words)
