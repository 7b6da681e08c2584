"""OPML, FreeMind, Freeplane and XMind in further shapes."""

from __future__ import annotations

import pytest

from tests.questionbank.outline_drafts import expect, topic, xmind, zipped

pytestmark = pytest.mark.unit


def opml(body: str) -> str:
    return f'<?xml version="1.0"?><opml version="1.0"><head><title>T?</title></head><body>{body}</body></opml>'


def mm(nodes: str) -> str:
    return f'<map version="freeplane 1.9">{nodes}</map>'


def note(text: str, kind: str = "NOTE") -> str:
    return f'<richcontent TYPE="{kind}"><html><head/><body>{text}</body></html></richcontent>'


# --- OPML


def test_answers_short_forms_and_labels_below_a_question() -> None:
    draft = expect(
        opml(
            '<outline text="1. What is A?" description="A store."><outline text="Answer: or more"/>'
            '<outline text="Why?"/><outline text="cost" foo="x"/></outline>'
        ),
        "[]\n  What is A? = A store.⏎⏎or more\n    Why?\n    cost",
        "bank.opml",
    )

    assert draft.unread == ["foo"]


def test_short_form_needs_a_question_above_in_an_outline() -> None:
    expect(
        opml('<outline text="Group"><outline text="Why?"/><outline text="plain" _note="with a note"/></outline>'),
        "[Group]\n  Why?\n- plain\n- with a note",
        "bank.opml",
    )


def test_title_stands_in_for_text_and_links_are_unplaced_though_they_ask() -> None:
    expect(
        opml(
            '<outline title="Part&nbsp;1"><outline title="How so?"/><outline text="What?" type="link" url="https://a.example"/>'
            '<outline text="Feed" type="rss" xmlUrl="https://b.example"/></outline>'
        ),
        "[Part 1]\n  How so?\n- [What?](https://a.example)\n- [Feed](https://b.example)",
        "bank.opml",
    )


def test_comment_takes_all_below_with_it() -> None:
    expect(
        opml('<outline text="Why?"/><outline text="c" isComment="true" _note="n"><outline text="Hidden?"/></outline>'),
        "[]\n  Why?\n- c\n- n\n- Hidden?",
        "bank.opml",
    )


def test_note_of_a_topic_is_a_remark_and_a_placeholder_no_answer() -> None:
    expect(
        opml('<outline text="Topic" note="About it."><outline text="Why?" _note="TODO"/></outline>'),
        "[Topic]\n  Why?\n- About it.",
        "bank.opml",
    )


def test_rows_without_a_title_pass_on_what_hangs_on_them() -> None:
    expect(
        opml('<outline text="T"><outline text=""><outline text="Why?"/><outline text="---"/></outline></outline>'),
        "[T]\n  Why?",
        "bank.opml",
    )


# --- FreeMind and Freeplane


def test_rich_notes_details_and_lists_are_the_answer() -> None:
    draft = expect(
        mm(
            '<node TEXT="T"><node TEXT="Explain x">'
            + note("<ul><li>a</li><li>b</li></ul><p>c<br/>d</p>")
            + note("<p>det</p>", "DETAILS")
            + '<attribute NAME="difficulty" VALUE="hard"/></node></node>'
        ),
        "[T]\n  Explain x = - a⏎- b⏎⏎c⏎d⏎⏎det",
        "bank.mm",
    )

    assert draft.unread == ["difficulty"]


def test_new_map_has_no_title_of_its_own() -> None:
    expect(
        mm('<node TEXT="New Mindmap"><node TEXT="Net"><node TEXT="为什么？"/></node></node>'),
        "[Net]\n  为什么？",
        "bank.mm",
    )


def test_central_topic_that_asks_is_the_root() -> None:
    expect(
        mm('<node TEXT="Why?"><node TEXT="How?"><node TEXT="x"/></node><node TEXT="Who?"/></node>'),
        "[]\n  Why?\n    How? = - x\n    Who?",
        "bank.mm",
    )


def test_links_inside_the_map_are_none() -> None:
    expect(
        mm(
            '<node TEXT="T"><node TEXT="Here?" LINK="#ID_2"/><node TEXT="Out?" LINK="https://a.example"/>'
            '<node TEXT="Both?" LINK="https://a.example"><node TEXT="Why?"/></node></node>'
        ),
        "[T]\n  Here?\n[T]\n  Both?\n    Why?\n- [Out?](https://a.example)",
        "bank.mm",
    )


def test_summary_that_asks_is_a_question_and_one_that_does_not_is_unplaced() -> None:
    summary = '<node TEXT=""><hook NAME="SummaryNode"/><node TEXT="{}"/></node>'

    expect(
        mm('<node TEXT="T"><node TEXT="Why?"/>' + summary.format("And together?") + summary.format("All") + "</node>"),
        "[T]\n  Why?\n[T]\n  And together?\n- All",
        "bank.mm",
    )


def test_answers_nest_in_a_map() -> None:
    expect(
        mm(
            '<node TEXT="Why?"><node TEXT="a"><node TEXT="a1"/></node><node TEXT="b">'
            + note("<p>n</p>")
            + "</node></node>"
        ),
        "[]\n  Why? = - a⏎  - a1⏎- b⏎⏎  n",
        "bank.mm",
    )


# --- XMind


def test_made_up_titles_are_skipped_and_their_children_move_up() -> None:
    expect(
        xmind(
            topic(
                "Central Topic", topic("Main Topic 1", topic("Why?")), topic("子主题 2"), topic("Kept", topic("How?"))
            )
        ),
        "[]\n  Why?\n[Kept]\n  How?",
        "bank.xmind",
    )


def test_callout_that_asks_is_a_follow_up_and_summary_of_a_topic_a_tree() -> None:
    expect(
        xmind(topic("T", topic("Why?", callout=[topic("Really?"), topic("aside")]), summary=[topic("And so?")])),
        "[T]\n  Why?\n    Really?\n[T]\n  And so?\n- aside",
        "bank.xmind",
    )


def test_floating_topic_that_groups_is_a_topic_of_its_own() -> None:
    expect(
        xmind(topic("T", topic("Why?"), detached=[topic("Else", topic("How?")), topic("Lone?"), topic("note")])),
        "[T]\n  Why?\n[Else]\n  How?\n[]\n  Lone?\n- note",
        "bank.xmind",
    )


def test_notes_in_html_alone_and_titles_in_runs_are_read() -> None:
    expect(
        xmind(
            topic(
                "T",
                {
                    "attributedTitle": [{"text": "Wh"}, {"text": "y?"}],
                    "notes": {"realHTML": {"content": "<div>So.<br>Yes.</div>"}},
                },
            )
        ),
        "[T]\n  Why? = So.⏎Yes.",
        "bank.xmind",
    )


def test_sheets_follow_each_other_and_labels_are_named() -> None:
    draft = expect(
        xmind(topic("One", topic("Why?", labels=["core"])), topic("Two", topic("How?", href="xmind:#1"))),
        "[One]\n  Why?\n[Two]\n  How?",
        "bank.xmind",
    )

    assert draft.unread == ["labels"]


def test_xmind_8_reads_notes_in_html_and_floating_topics() -> None:
    content = (
        '<xmap-content xmlns="urn:xmind:xmap:xmlns:content:2.0" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
        '<sheet id="s"><topic id="t">'
        '<title>T</title><children><topics type="attached"><topic id="a"><title>Why?</title><notes><html>'
        "<xhtml:p>One.</xhtml:p>"
        '<xhtml:p>Two.</xhtml:p></html></notes></topic></topics><topics type="detached"><topic id="b"><title>'
        "Else?</title></topic></topics>"
        "</children></topic></sheet></xmap-content>"
    )

    expect(zipped({"content.xml": content}), "[T]\n  Why? = One.⏎⏎Two.\n[]\n  Else?", "bank.xmind")
