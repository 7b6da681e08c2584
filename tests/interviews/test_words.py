from __future__ import annotations

from enum import StrEnum

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from interviews import enums
from interviews.rules import NextWhy
from interviews.templatetags.words import WORDS, word, words

pytestmark = pytest.mark.unit

LISTS: dict[str, type[StrEnum]] = {
    "outcome": enums.Outcome,
    "outcome_if": enums.Outcome,
    "aid": enums.Aid,
    "aim": enums.Aim,
    "kind": enums.ProbeKind,
    "ended": enums.Ended,
    "confidence": enums.Confidence,
    "evidence": enums.EvidenceType,
    "reason": enums.ReasonType,
    "came_up": enums.StatementAid,
    "role": enums.Role,
    "status": enums.InterviewStatus,
}


@pytest.mark.parametrize("table", LISTS)
def test_words_name_every_value_of_the_list(table: str) -> None:
    assert set(WORDS[table]) == set(LISTS[table])
    assert all(str(one).strip() for one in WORDS[table].values())


def test_words_have_no_list_that_is_not_checked_here() -> None:
    assert set(WORDS) == set(LISTS)


def test_what_to_ask_next_has_a_sentence_for_every_reason() -> None:
    with translation.override("en"):
        drawn = render_to_string("interviews/room/derived.html")
    assert {f'data-say="next_{why}"' in drawn for why in NextWhy} == {True}


def test_word_of_nothing_is_nothing() -> None:
    assert [word(None, "outcome"), word("", "aid"), word("no_such_value", "ended")] == ["", "", ""]


def test_words_keep_the_order_given() -> None:
    with translation.override("en"):
        assert words(["why", "depth"], "aim") == "Why, Depth"
