"""Plain numbered text, and numbers that Markdown doesn't know: kinds nest in the order in which they first appear."""

from __future__ import annotations

import pytest

from questionbank.exchange.outlines.numbering import number_of, without_number
from tests.questionbank.outline_drafts import expect

pytestmark = pytest.mark.unit


def test_english_outline_nests_by_kind_whatever_the_indentation() -> None:
    expect(
        "I. Storage\n1. What is a WAL?\n        Answer: a log\n   a) Why?\n  b) When is it cut?\n        "
        "2. Compaction\n"
        "II. Networks\n      1. Explain slow start.\n",
        """
[Storage]
  What is a WAL? = a log
    Why?
    When is it cut?
[Storage]
  Compaction
[Networks]
  Explain slow start.
""",
        "bank.txt",
    )


def test_chapters_sections_and_questions_in_chinese() -> None:
    expect(
        "第一章 并发\n（一）锁\n1. 什么是死锁？\n答案：互相等待。\n① 怎么发现？\n2. 锁的粒度\n（二）队列\n"
        "1．请介绍无锁队列。\n第二章 网络\n1. 什么是粘包？\n",
        """
[并发 > 锁]
  什么是死锁？ = 互相等待。
    怎么发现？
[并发 > 锁]
  锁的粒度
[并发 > 队列]
  请介绍无锁队列。
[网络]
  什么是粘包？
""",
        "bank.txt",
    )


def test_decimal_numbers_nest_by_their_length() -> None:
    expect(
        "1 Basics\n1. Basics\n1.1 What is X?\n1.1.1 And why?\n1.1.2 Since when?\n1.2 What is Y?\n2. Rest\n2.1 Who?\n",
        """
[Basics]
  What is X?
    And why?
    Since when?
[Basics]
  What is Y?
[Rest]
  Who?
- 1 Basics
""",
        "bank.txt",
    )


def test_bullets_under_numbers_are_their_answer_or_follow_ups() -> None:
    expect(
        "1、为什么？\n- 快\n- 稳\n2、怎么做？\n• 先做什么？\n• 后做什么？\n",
        "[]\n  为什么？ = - 快⏎- 稳\n[]\n  怎么做？\n    先做什么？\n    后做什么？",
        "bank.txt",
    )


def test_numbers_of_markdown_and_of_plain_text_mix() -> None:
    expect(
        "## Redis\n1. 为什么快？\n（1）单线程？\n（2）多路复用？\n2. 缓存穿透\n3. 集群\n（1）怎么选主？\n",
        "[Redis]\n  为什么快？\n    单线程？\n    多路复用？\n[Redis]\n  缓存穿透\n[Redis > 集群]\n  怎么选主？",
    )


def test_lines_that_belong_to_nothing_are_listed_one_by_one() -> None:
    expect(
        "Interview outline\nfor spring\n\n1. Why?\n2. Who?\n3) Remarks\nThank you.\n",
        "[]\n  Why?\n[]\n  Who? = 3) Remarks⏎⏎   Thank you.\n- Interview outline⏎for spring",
        "bank.txt",
    )


@pytest.mark.parametrize(
    ("text", "kind", "rest"),
    [
        ("1. a", "1", "a"),
        ("１、什么", "1", "什么"),
        ("12：怎么", "1", "怎么"),
        ("3 - Why", "1", "Why"),
        ("1.什么", "1", "什么"),
        ("2) Why", "1)", "Why"),
        ("2）怎么", "1)", "怎么"),
        ("(3) Why", "(1)", "Why"),
        ("（三）怎么", "(一)", "怎么"),
        ("十二、怎么", "一", "怎么"),
        ("③怎么", "①", "怎么"),
        ("2.1 How", "1.1", "How"),
        ("2.1.3. How", "1.1.1", "How"),
        ("第3题：怎么", "第题", "怎么"),
        ("第二部分 网络", "第章", "网络"),
        ("IV. Rest", "I.", "Rest"),
        ("b) Why", "a)", "Why"),
        ("#7 Why", "#1", "Why"),
        ("[4] Why", "[1]", "Why"),
    ],
)
def test_number_is_known(text: str, kind: str, rest: str) -> None:
    number = number_of(text)

    assert number is not None
    assert (number.kind, text[number.end :]) == (kind, rest)


@pytest.mark.parametrize(
    "text",
    [
        "2PC",
        "3 replicas or 5: which?",
        "1.5 hours",
        "10:30 standup",
        "3.js rocks",
        "[1](x)",
        "一致性",
        "No one",
        "12",
        "C++ or C",
    ],
)
def test_number_is_none(text: str) -> None:
    assert without_number(text) == text
