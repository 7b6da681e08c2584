"""JSON in further shapes: groups, other names, nested follow-ups, one object a line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.questionbank.outline_drafts import expect

pytestmark = pytest.mark.unit


def draw(value: Any, expected: str) -> list[str]:
    return expect(json.dumps(value, ensure_ascii=False), expected, "bank.json").unread


def test_array_of_texts() -> None:
    draw(["Why?", "Explain LRU.", "remark", "", 5, None], "[]\n  Why?\n[]\n  Explain LRU.\n- remark")


def test_object_with_a_list_has_a_title_that_is_no_topic() -> None:
    unread = draw(
        {
            "title": "Bank",
            "version": "v1",
            "description": "An intro",
            "questions": [{"q": "Why?", "a": ["x", "y"], "followUps": [{"text": "Really?"}, "short"], "difficulty": 3}],
        },
        "[]\n  Why? = - x⏎- y\n    Really?\n    short\n- An intro",
    )

    assert set(unread) == {"version", "difficulty"}


def test_groups_are_topics_by_name_and_by_key() -> None:
    draw(
        {
            "Caching": {"Basics": ["What?", {"prompt": "Explain LRU", "expectedAnswer": "evict"}]},
            "Queues": [{"name": "Kafka", "items": ["Why?"]}],
        },
        "[Caching > Basics]\n  What?\n[Caching > Basics]\n  Explain LRU = evict\n[Queues > Kafka]\n  Why?",
    )


def test_numbered_follow_ups_with_answers() -> None:
    draw(
        [
            {
                "question": "Why?",
                "follow_up_1": "How?\nExactly?",
                "follow_up_1_answer": "So.",
                "follow_up_2": "",
                "follow_up": "a?\nb?",
            }
        ],
        "[]\n  Why?\n    How?⏎Exactly? = So.\n    a?\n    b?",
    )


def test_chinese_names_and_empty_values() -> None:
    draw(
        [{"问题": "什么？", "答案": "无", "追问": ["为什么？", {"问题": "怎么？", "答案": "这样"}], "分类": "甲"}],
        "[甲]\n  什么？\n    为什么？\n    怎么？ = 这样",
    )


def test_flat_objects_with_parents_or_levels_are_rows() -> None:
    draw(
        [
            {"id": 2, "parent_id": 1, "question": "Child?"},
            {"id": 1, "question": "Root?"},
            {"id": 3, "parent_id": 9, "question": "Lost?"},
        ],
        "[]\n  Root?\n    Child?\n- 3 | 9 | Lost?",
    )
    draw(
        [{"level": 1, "question": "Root?"}, {"level": 2, "question": "Child?"}, {"level": "2", "question": "Two?"}],
        "[]\n  Root?\n    Child?\n    Two?",
    )


def test_arrays_of_arrays_are_a_table() -> None:
    draw([["Question", "Answer"], ["Why?", "So."], ["", "lost"]], "[]\n  Why? = So.\n- lost")


def test_question_as_key_and_answer_as_value() -> None:
    draw({"Why?": "So.", "How?": "Thus."}, "[]\n  Why? = So.\n[]\n  How? = Thus.")


def test_one_object_a_line() -> None:
    expect('{"question": "One?"}\n{"question": "Two?", "answer": "2"}\n', "[]\n  One?\n[]\n  Two? = 2", "bank.jsonl")


def test_title_with_a_body_is_a_question_when_it_asks() -> None:
    draw([{"title": "What?", "body": "So."}, {"title": "No", "body": "x"}], "[]\n  What? = So.\n- No | x")


def test_mapping_gives_fields_their_roles() -> None:
    source = json.dumps([{"frage": "Warum", "antwort": "Darum"}])

    expect(source, "[]\n  Warum = Darum", "bank.json", mapping={"frage": "question", "antwort": "answer"})
