"""The likeness of prompts is the database's own, so that files and the bank are judged alike."""

from __future__ import annotations

from itertools import combinations

import pytest
from django.db import connection

from questionbank.exchange.files import read_paths
from questionbank.lint import normalised, similarity
from tests.questionbank.lint.test_trees import BANK

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def test_similarity_is_that_of_pg_trgm() -> None:
    trees = [tree for reading in read_paths([BANK]) for tree in reading.trees]
    prompts = [words for tree in trees for probe in tree.probes for words in probe.prompt.values()][:60]
    pairs = list(combinations([*prompts, "Ein Straßenname?", "ﬁne ＡＢ１ 数据", "2(N-1)/N of it"], 2))
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        cursor.execute(
            "SELECT similarity(one, other) FROM unnest(%s::text[], %s::text[]) AS pair(one, other)",
            [[normalised(one) for one, _ in pairs], [normalised(other) for _, other in pairs]],
        )
        found = [row[0] for row in cursor.fetchall()]

    assert found == pytest.approx([similarity(one, other) for one, other in pairs], abs=1e-6)
