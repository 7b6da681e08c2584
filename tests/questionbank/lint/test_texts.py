"""Two questions in one prompt: seen where they are, and not where one question only looks like two."""

from __future__ import annotations

import pytest

from questionbank.lint.texts import two_questions

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("language", "prompt"),
    [
        ("en", "What is drift? And what is skew?"),
        ("en", "What is drift, and how would you measure it?"),
        ("en", "How does it start and when does it stop?"),
        ("en", "Which part was slow, and which is fast?"),
        ("en", "The run is slow. What breaks first, and what comes after that?"),
        ("en", "Did you write it, and what did it cost?"),
        ("en-GB", "What did you choose, and why did you leave the others?"),
        ("zh-Hans", "什么是漂移？怎么测量？"),
        ("zh-Hans", "漂移是什么，又怎么测量？"),
        ("zh-Hans", "你用了哪个后端，以及它在链路上做了什么？"),
        ("zh-Hans", "先看什么?再看什么?"),
        ("de", "Was ist Drift? Und wie misst man ihn?"),
        ("fr", "Pourquoi ? Et comment ?"),
    ],
)  # fmt: skip
def test_two_questions_are_seen(language: str, prompt: str) -> None:
    assert two_questions(prompt, language)


@pytest.mark.parametrize(
    ("language", "prompt"),
    [
        # A choice with its reason is one question.
        ("en", "Which one did you choose, and why?"),
        ("en", "Which one did you choose, and why that one?"),
        ("en", "When and why?"),
        ("en", "Why?!"),
        ("en", "Really??"),
        ("en", "Do you measure how fast it is and what it costs?"),
        ("en", "Tell me what you changed, and what came of it."),
        ("en", "Someone asks “Is it fast? Is it safe?” What do you answer?"),
        ("en", 'A user types "why? how?" into the box. What should the model do?'),
        ("en", "What does `a ? b : c ?` mean?"),
        ("en", "What is wrong with https://example.org/?a=1&b=2 as an address?"),
        ("en", "One node is fast and four are slow. How do you find out why?"),
        ("en", "You know what it does, and how it is built. What would you change?"),
        ("en", "What do you do when it fails?"),
        ("en", "Is it faster or slower?"),
        ("zh-Hans", "你选了哪个，为什么？"),
        ("zh-Hans", "你选了哪个，并说明为什么？"),
        ("zh-Hans", "看到什么样的数据，你会推翻这个选择？"),
        ("zh-Hans", "如果什么都不变，又没有人抱怨，你会怎么做？"),
        ("zh-Hans", "用户问“是什么？为什么？”，模型应该怎么答？"),
        ("zh-Hans", "你知道它是什么。又怎么测量？"),
        ("zh-Hans", ""),
        ("de", "Welche, und warum?"),
    ],
)  # fmt: skip
def test_one_question_is_left_alone(language: str, prompt: str) -> None:
    assert not two_questions(prompt, language)
