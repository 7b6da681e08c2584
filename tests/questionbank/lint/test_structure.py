"""What keeps probes from being one tree."""

from __future__ import annotations

import pytest

from questionbank.enums import Aim, ProbeKind
from questionbank.lint import Severity, flaws
from questionbank.outline import MOST_ANCESTORS
from tests.questionbank.outlines import probe, tree

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("probes", "found"),
    [
        ((), [("no_root", None)]),
        ((probe("a", "b"), probe("b", "a")), [("no_root", None), ("circle", 0), ("circle", 1)]),
        ((probe("a", kind=ProbeKind.CHECK), probe("b", "b")), [("circle", 1)]),
        # What only hangs on a circle is not told: it is sound once the circle is broken.
        ((probe("a"), probe("b", "c"), probe("c", "b"), probe("d", "c")), [("circle", 1), ("circle", 2)]),
        ((probe("a"), probe("b")), [("second_root", 1)]),
        ((probe("a"), probe("b", "a"), probe("b", "a")), [("key_twice", 2)]),
        ((probe("a"), probe("b", "x"), probe("c", "b")), [("unknown_parent", 1)]),
        ((probe("a", kind=ProbeKind.RESCUE),), [("root_rescue", 0)]),
        ((probe("a"), probe("b", "a", same_level=True)), [("same_level_of_what", 1)]),
        ((probe("a", kind=ProbeKind.CHECK, same_level=True),), [("same_level_of_what", 0)]),
        ((probe("a", anchors={Aim.WHY: {0: {"en": "none"}}}),), [("anchors_without_aim", 0)]),
    ],
)
def test_flaws_names_everything_that_is_wrong(probes: tuple, found: list) -> None:
    assert [(finding.code, finding.index) for finding in flaws(tree(*probes))] == found


def test_flaws_stops_a_chain_that_no_page_could_nest() -> None:
    chain = [probe("p-0"), *(probe(f"p-{n}", f"p-{n - 1}") for n in range(1, 400))]

    found = flaws(tree(*chain))

    assert [(finding.code, finding.index) for finding in found] == [("too_far_down", MOST_ANCESTORS + 1)]


def test_flaws_stop_publishing_and_name_their_probe() -> None:
    [found] = flaws(tree(probe("a"), probe("b", "x")))

    assert (found.tree, found.probe, found.place) == ("a-tree", "b", "after")
    assert found.severity is Severity.STOPS
    assert found.values == {"parent": "x"}
