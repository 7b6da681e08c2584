from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.layout import Terms, lay_out, useful_terms
from scoring.stats.ratings import NO_ANSWER, Ratings, RatingsError

pytestmark = pytest.mark.unit


def test_ids_are_coded_in_their_own_order_and_kept() -> None:
    ratings = Ratings.from_columns(["Zoe", "Al", "Zoe"], ["r2", "r1", "r1"], ["q", "q", "p"], [1, 2, 3])

    assert ratings.labels.candidate == ("Al", "Zoe")
    assert ratings.candidate.tolist() == [1, 0, 1]
    assert ratings.interviewer.tolist() == [1, 0, 0]
    assert ratings.item.tolist() == [1, 1, 0]
    assert ratings.top == (3,)
    assert len(ratings) == 3


def test_a_session_is_one_interview_of_one_candidate_by_one_interviewer() -> None:
    ratings = Ratings.from_columns(
        ["a", "a", "a", "b"], ["r", "r", "s", "r"], ["q"] * 4, [1, 2, 3, 4], interview=["1", "2", "1", "1"]
    )

    assert len(set(ratings.session.tolist())) == 4
    assert ratings.session_candidate.tolist() == [0, 0, 0, 1]
    assert ratings.session_interviewer.tolist() == [0, 0, 1, 0]


def test_answers_default_to_items_that_several_interviewers_rated() -> None:
    ratings = Ratings.from_columns(["a"] * 5, ["r", "s", "r", "r", "s"], ["q", "q", "p", "p", "o"], [1, 2, 3, 4, 0])

    assert (ratings.answer != NO_ANSWER).tolist() == [True, True, False, False, False]
    assert ratings.answer[0] == ratings.answer[1]


def test_given_answers_are_told_apart_within_a_candidate_and_may_be_empty() -> None:
    ratings = Ratings.from_columns(
        ["a", "a", "b", "b"], ["r"] * 4, ["q"] * 4, [1, 2, 3, 4], answer=["1", "1", "1", ""], dimension=list("xyxy")
    )

    assert ratings.answer[0] == ratings.answer[1]
    assert ratings.answer[2] not in {ratings.answer[0], NO_ANSWER}
    assert ratings.answer[3] == NO_ANSWER
    assert ratings.answer_candidate.tolist() == [0, 1]


def test_difficulties_are_of_an_item_on_a_dimension_and_scale() -> None:
    ratings = Ratings.from_columns(
        ["a"] * 4,
        ["r"] * 4,
        ["q", "q", "p", "q"],
        [1, 2, 3, 1],
        dimension=["x", "y", "x", "x"],
        scale=["", "", "", "b"],
    )

    assert ratings.columns == 4
    assert ratings.column_item[ratings.column].tolist() == ratings.item.tolist()
    assert ratings.column_dimension[ratings.column].tolist() == ratings.dimension.tolist()
    assert ratings.column_scale[ratings.column].tolist() == ratings.scale.tolist()


@pytest.mark.parametrize(
    ("column", "values", "words", "rows"),
    [
        ("rating", [1, float("nan"), 2], "no whole number", (1,)),
        ("rating", [1, 2.5, float("inf")], "no whole number", (1, 2)),
        ("rating", [1, -1, 2], "below 0", (1,)),
        ("rating", ["1", "two", "3"], "not a number", (1,)),
        ("rating", [1, 5, 9], "above the top", (1, 2)),
        ("rating", [1, 2], "has 3 values where there are 2", ()),
        ("candidate", [0, 1, 1.5], "no whole number", (2,)),
        ("rating", [], "not one rating", ()),
    ],
)
def test_unusable_values_are_refused_with_their_rows(
    column: str, values: list[object], words: str, rows: tuple[int, ...]
) -> None:
    columns: dict[str, object] = {
        "candidate": [0, 1, 2],
        "interviewer": [0, 0, 0],
        "item": [0, 0, 0],
        "rating": [1, 2, 3],
    }
    columns[column] = values

    with pytest.raises(RatingsError, match=words) as refused:
        Ratings.from_codes(**columns, top=[4])  # type: ignore[arg-type]

    assert refused.value.rows == rows


def test_many_rows_at_fault_are_counted_not_listed() -> None:
    with pytest.raises(RatingsError, match="rows 0, 1, 2, 3, 4 and 95 more, counted from 0") as refused:
        Ratings.from_codes([0] * 100, [0] * 100, [0] * 100, [9] * 100, top=[4])

    assert len(refused.value.rows) == 100


def test_an_empty_id_is_refused_and_an_empty_dimension_is_one_dimension() -> None:
    with pytest.raises(RatingsError, match="interviewer is empty") as refused:
        Ratings.from_columns(["a", "b"], ["r", ""], ["q", "q"], [1, 2])

    assert refused.value.rows == (1,)
    assert Ratings.from_columns(["a"], ["r"], ["q"], [1]).labels.dimension == ("",)


def test_the_number_of_tops_is_that_of_the_scales() -> None:
    with pytest.raises(RatingsError, match="2 highest categories were given for 1 scales"):
        Ratings.from_codes([0], [0], [0], [1], top=[4, 4])
    with pytest.raises(RatingsError, match="at most 20"):
        Ratings.from_codes([0], [0], [0], [99])


def test_repeated_rows_are_found() -> None:
    ratings = Ratings.from_codes([0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0], [1, 2, 3, 4])

    assert ratings.repeated_rows().tolist() == [1]


def test_rows_of_some_candidates_keep_shared_codes_and_renumber_the_rest() -> None:
    ratings = Ratings.from_codes([0, 1, 2, 2], [0, 1, 2, 1], [0, 1, 2, 2], [1, 2, 3, 4], answer=[0, 1, 2, 2])
    some = ratings.of_candidates(np.array([False, True, True]))

    assert some.candidate.tolist() == [0, 1, 1]
    assert some.interviewer.tolist() == [1, 2, 1]
    assert some.session.tolist() == [0, 2, 1]
    assert some.answer.tolist() == [0, 1, 1]
    assert some.labels.candidate == ("1", "2")
    assert (some.interviewers, some.columns) == (ratings.interviewers, ratings.columns)
    assert ratings.of_rows(np.array([True, False, False, True])).candidate.tolist() == [0, 1]


def test_terms_the_ratings_cannot_tell_apart_are_left_out() -> None:
    each = Ratings.from_codes([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 0, 1], [1, 2, 3, 4], answer=[0, 1, 2, 3])
    one = Ratings.from_codes(
        [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 2, 3, 4], dimension=[0, 1, 0, 1], answer=[0, 0, 1, 1]
    )

    assert useful_terms(each, Terms()) == Terms(dimension=False, halo=True, answer=False)
    assert useful_terms(one, Terms()) == Terms(dimension=True, halo=True, answer=False)
    assert useful_terms(one, Terms(halo=False)) == Terms(dimension=True, halo=False, answer=True)


def test_more_parameters_than_a_dense_system_holds_are_refused() -> None:
    codes = np.arange(7000)
    with pytest.raises(ValueError, match="14000 parameters"):
        lay_out(Ratings.from_codes(codes, codes, codes, codes % 5), Terms())
