from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.arrays import Ints
from scoring.stats.connectedness import Contrast, Facet, connectedness, sentence
from scoring.stats.ratings import Ratings

pytestmark = pytest.mark.unit


def ratings_of(sessions: list[tuple[int, int, list[int]]]) -> Ratings:
    rows = [(candidate, rater, item) for candidate, rater, items in sessions for item in items]
    candidate, rater, item = np.array(rows).T
    return Ratings.from_codes(candidate, rater, item, np.arange(len(rows)) % 5)


def block(candidates: range, raters: range, items: list[int]) -> list[tuple[int, int, list[int]]]:
    return [(candidate, rater, items) for candidate in candidates for rater in raters]


def sizes(group: Ints) -> list[int]:
    return np.bincount(group).tolist()


def test_a_crossed_design_leaves_nothing_free() -> None:
    found = connectedness(ratings_of(block(range(6), range(3), [0, 1])))

    assert (found.unidentified, found.blocks, found.contrasts) == (0, 1, ())


def test_blocks_that_share_questions_leave_one_contrast() -> None:
    found = connectedness(ratings_of([*block(range(4), range(2), [0, 1]), *block(range(4, 9), range(2, 4), [0, 1])]))

    assert (found.unidentified, found.blocks) == (1, 1)
    assert sizes(found.interviewer_group) == [2, 2]
    assert sizes(found.candidate_group) == [5, 4]
    assert sizes(found.column_group) == [2]
    interviewers, candidates = found.contrasts
    assert (interviewers.facet, interviewers.left, interviewers.right) == (Facet.INTERVIEWER, (0, 1), (2, 3))
    assert (interviewers.shares_candidates, interviewers.shares_items) == (False, True)
    assert candidates.facet == Facet.CANDIDATE
    assert not found.comparable(Facet.CANDIDATE, 0, 8)
    assert found.comparable(Facet.CANDIDATE, 0, 3)


def test_blocks_that_share_nothing_leave_two() -> None:
    found = connectedness(ratings_of([*block(range(4), range(2), [0, 1]), *block(range(4, 8), range(2, 4), [2, 3])]))

    assert (found.unidentified, found.blocks) == (2, 2)
    assert [contrast.facet for contrast in found.contrasts] == [Facet.INTERVIEWER, Facet.ITEM, Facet.CANDIDATE]
    assert not any(contrast.shares_candidates or contrast.shares_items for contrast in found.contrasts)
    assert found.block_of_candidate.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_questions_of_ones_own_are_confounded_though_the_graph_connects() -> None:
    sessions = [
        (candidate, rater % 20, [3 * (rater % 20), 3 * (rater % 20) + 1, 3 * (rater % 20) + 2])
        for candidate in range(60)
        for rater in (candidate, candidate + 1, candidate + 5)
    ]
    found = connectedness(ratings_of(sessions))

    assert (found.unidentified, found.blocks) == (19, 1)
    assert sizes(found.candidate_group) == [60]
    assert sizes(found.interviewer_group) == [1] * 20
    assert all(contrast.shares_candidates or contrast.facet == Facet.INTERVIEWER for contrast in found.contrasts[:1])


def test_one_interviewer_per_candidate_leaves_every_severity_free() -> None:
    found = connectedness(ratings_of([(candidate, candidate % 20, [0, 1, 2]) for candidate in range(60)]))

    assert (found.unidentified, found.blocks) == (19, 1)
    assert sizes(found.candidate_group) == [3] * 20
    own = connectedness(ratings_of([(candidate, candidate % 20, [candidate % 20]) for candidate in range(60)]))
    assert own.blocks == 20


def test_one_rating_is_connected() -> None:
    found = connectedness(ratings_of([(0, 0, [0])]))

    assert (found.unidentified, found.blocks, found.contrasts) == (0, 1, ())


@pytest.mark.parametrize(
    ("facet", "candidates", "items", "words"),
    [
        (Facet.INTERVIEWER, False, False, "Ana and Bo share no candidate and no probe."),
        (Facet.INTERVIEWER, True, False, "Ana and Bo share no probe."),
        (Facet.CANDIDATE, False, True, "Ana and Bo share no interviewer."),
        (Facet.ITEM, False, False, "Ana and Bo share no candidate and no interviewer."),
        (Facet.INTERVIEWER, True, True, "Ana and Bo cannot be told apart by what they share."),
    ],
)
def test_contrasts_are_said_in_words(facet: Facet, candidates: bool, items: bool, words: str) -> None:
    assert sentence(Contrast(facet, (0,), (1,), candidates, items), ("Ana", "Bo")) == words


def test_long_groups_are_shortened() -> None:
    contrast = Contrast(Facet.INTERVIEWER, (0, 1, 2, 3, 4), (5,), False, True)

    assert sentence(contrast, tuple("abcdef")) == "a, b, c and 2 more and f share no candidate."
