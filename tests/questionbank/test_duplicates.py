"""Questions that are asked twice: found by the database as by the linter in files; pairs, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from django.db import connection

from people.models import AuditEntry
from questionbank import queries
from questionbank.enums import PairVerdict, ProbeKind, VersionState
from questionbank.lint import Finding
from questionbank.lint.similar import NEAR, normalised, similarity, trigrams
from questionbank.models import NearPair, Probe, ProbeText, TreeVersion
from questionbank.queries.duplicates import near_duplicates, not_compared, open_pairs
from questionbank.queries.repeats import known_repeats, repeats_in_bank
from questionbank.services.duplicates import call_different, compare_waiting
from tests.cast import Cast
from tests.support.factories import make_tree
from tests.support.threads import one_after_other

pytestmark = pytest.mark.db

SHARD = "Why would you shard the optimizer states across cards?"
SHARDS = "Why would you shard the optimizer states across the cards?"
SHARD_ZH = "为什么要把优化器状态切分到多张卡上？"
SHARDS_ZH = "为什么要把优化器的状态切分到多张卡上？"
OTHER = "How does a message queue lose what was sent?"


def prompt(version: TreeVersion, key: str, **words: str) -> Probe:
    said = {tag.replace("_", "-"): text for tag, text in words.items()}
    Probe.objects.filter(version=version, key=key).update(prompt=said)
    return version.probes.get(key=key)


@pytest.fixture
def bank(db: None) -> tuple[TreeVersion, TreeVersion]:
    """Two drafts, alpha and beta, whose probes differ in all but what a test says."""
    for number, key in enumerate(("alpha", "beta")):
        version = make_tree(key, depth=3, state=VersionState.DRAFT)
        for place, probe in enumerate(version.probes.order_by("pk")):
            prompt(version, probe.key, en=f"{'abcdefgh'[place] * 9} {'xyz'[number] * 12} {place}")
    return tuple(TreeVersion.objects.order_by("pk"))  # type: ignore[return-value]


def found(text: dict[str, str], **options: object) -> list[tuple[str, str, str]]:
    return [(one.tree, one.key, one.language) for one in near_duplicates(text, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SHARD, SHARDS),
        (SHARD, OTHER),
        (SHARD_ZH, SHARDS_ZH),
        (SHARD_ZH, "什么是死锁？"),
        ("ＮＣＣＬ　timeouts", "nccl Timeouts!"),
        ("Größe — über 3,5 ms", "grösse über 3.5 ms"),
        ("a_b c-d", "a b c d"),
        ("zero_stage=3", "Zero stage 3?"),
        ("e\u0301tat", "état"),
        ("", "anything"),
    ],
)
def test_the_database_and_the_linter_agree(db: None, one: str, other: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT similarity(questionbank_folded(%s), %s), cardinality(show_trgm(questionbank_folded(%s)))",
            [one, normalised(other), one],
        )
        alike, grams = cursor.fetchone()
    assert alike == pytest.approx(similarity(one, other), abs=1e-6)
    assert grams == len(trigrams(normalised(one)))


def test_a_prompt_finds_what_asks_nearly_the_same(bank: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, beta = bank
    prompt(alpha, "l2", en=SHARD, zh_Hans=SHARD_ZH)
    prompt(beta, "l3", en="Something else altogether, in its own words", zh_Hans=SHARDS_ZH)

    assert found({"en": SHARDS}) == [("alpha", "l2", "en")]
    assert set(found({"zh-Hans": SHARD_ZH})) == {("alpha", "l2", "zh-Hans"), ("beta", "l3", "zh-Hans")}
    assert found({"en": SHARDS, "zh-Hans": SHARD_ZH}, exclude=("alpha", "l2")) == [("beta", "l3", "zh-Hans")]
    assert found({"de": SHARD}) == []
    assert found({"en": "Why?"}) == []
    assert found({"en": ""}) == []
    one = near_duplicates({"en": SHARDS})[0]
    assert (one.number, one.prompt["en"]) == (1, SHARD)
    assert one.similarity == pytest.approx(similarity(SHARD, SHARDS), abs=1e-6)
    assert one.similarity > NEAR


def test_only_the_newest_version_is_looked_at(bank: tuple[TreeVersion, TreeVersion]) -> None:
    prompt(bank[0], "l2", en=SHARD)
    newer = make_tree("alpha", number=2, depth=3, state=VersionState.DRAFT)

    assert found({"en": SHARDS}) == []
    prompt(newer, "l3", en=SHARD)
    assert [(one.key, one.number) for one in near_duplicates({"en": SHARDS})] == [("l3", 2)]


def test_a_rescue_may_repeat_what_it_rephrases(bank: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, _beta = bank
    prompt(alpha, "root", en=SHARD)
    prompt(alpha, "root-rescue", en=SHARDS)

    assert found({"en": SHARD}, exclude=("alpha", "root")) == []
    assert found({"en": SHARDS}, exclude=("alpha", "root-rescue")) == []
    assert len(found({"en": SHARD}, exclude=("beta", "root"))) == 2
    compare_waiting()
    assert list(open_pairs()) == []
    Probe.objects.filter(version=alpha, key="root-rescue").update(kind=ProbeKind.CHECK)
    assert found({"en": SHARD}, exclude=("alpha", "root")) == [("alpha", "root-rescue", "en")]


def test_it_takes_two_queries(bank: tuple[TreeVersion, TreeVersion], django_assert_num_queries: object) -> None:
    prompt(bank[0], "l2", en=SHARD, zh_Hans=SHARD_ZH)
    with django_assert_num_queries(4):  # type: ignore[operator]  # two, and the two ends of the transaction
        near_duplicates({"en": SHARDS, "zh-Hans": SHARDS_ZH})


# --- pairs


def pairs() -> list[tuple[str, str]]:
    return [(f"{one.tree.key}/{one.key}", f"{one.other_tree.key}/{one.other_key}") for one in open_pairs()]


def test_the_bank_is_compared_with_itself_a_part_at_a_time(bank: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, beta = bank
    prompt(alpha, "l2", en=SHARD, zh_Hans=SHARD_ZH)
    prompt(beta, "l3", en=SHARDS, zh_Hans=SHARDS_ZH)

    assert not_compared().count() == 12
    assert compare_waiting() == 10
    assert not_compared().count() == 0
    assert pairs() == [("alpha/l2", "beta/l3")]
    pair = NearPair.objects.get()
    assert pair.similarity == pytest.approx(max(similarity(SHARD, SHARDS), similarity(SHARD_ZH, SHARDS_ZH)), abs=1e-6)
    assert compare_waiting() == 0


def test_a_changed_prompt_is_compared_again(bank: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, beta = bank
    prompt(alpha, "l2", en=SHARD, zh_Hans=SHARD_ZH)
    prompt(beta, "l3", en=SHARDS, zh_Hans=SHARDS_ZH)
    compare_waiting()

    prompt(beta, "l3", en="Something else altogether, in its own words", zh_Hans=SHARDS_ZH)
    compare_waiting()
    assert NearPair.objects.get().language == "zh-Hans"

    prompt(beta, "l3", en="Something else altogether, in its own words", zh_Hans="什么会让消息队列丢失消息？")
    compare_waiting()
    assert pairs() == []


@pytest.mark.django_db(transaction=True)
def test_a_prompt_that_changes_while_it_is_compared_is_compared_again(bank: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, beta = bank
    prompt(alpha, "l2", en=SHARD)
    compare_waiting()
    prompt(beta, "l3", en=OTHER)

    one_after_other(lambda: prompt(beta, "l3", en=SHARDS), compare_waiting)

    compare_waiting()
    assert pairs() == [("alpha/l2", "beta/l3")]
    assert not_compared().count() == 0


def test_a_pair_called_different_is_told_nowhere_again(cast: Cast, bank: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, beta = bank
    prompt(alpha, "l2", en=SHARD)
    prompt(beta, "l3", en=SHARDS)
    compare_waiting()

    call_different(NearPair.objects.get(), by=cast.cora)
    prompt(beta, "l3", en=SHARDS + " Please.")
    compare_waiting()

    assert pairs() == []
    assert NearPair.objects.get().verdict == PairVerdict.DIFFERENT
    assert found({"en": SHARDS}, exclude=("beta", "l3")) == []
    assert found({"en": SHARD}, exclude=("alpha", "l2")) == []
    assert AuditEntry.objects.filter(action="probes.different", actor=cast.cora).count() == 1


def test_a_pair_goes_with_either_probe(bank: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, beta = bank
    prompt(alpha, "l2", en=SHARD)
    prompt(beta, "l3", en=SHARDS)
    compare_waiting()

    beta.probes.filter(key="l3").delete()

    assert pairs() == []
    assert ProbeText.objects.filter(probe__key="l3", probe__version=beta).count() == 0


# --- what the linter says ---------------------------------------------------------------------------------------------


def told(findings: Iterable[Finding]) -> list[tuple[str, str, object, object]]:
    return [(one.probe, one.place, one.values["other_tree"], one.values["other"]) for one in findings]


def test_a_tree_is_told_of_its_known_pairs(cast: Cast, bank: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, beta = bank
    prompt(alpha, "l2", en=SHARD)
    prompt(alpha, "l3", en=SHARDS)
    prompt(beta, "l3", en=SHARDS + " Why?")
    compare_waiting()

    assert sorted(told(known_repeats(queries.whole(beta).outline))) == [
        ("l3", "prompt.en", "alpha", "l2"),
        ("l3", "prompt.en", "alpha", "l3"),
    ]
    assert len(known_repeats(queries.whole(alpha).outline)) == 4  # two with beta, and each with the other
    for pair in NearPair.objects.all():
        call_different(pair, by=cast.cora)
    assert known_repeats(queries.whole(alpha).outline) == []


def test_files_are_told_what_they_repeat(cast: Cast, bank: tuple[TreeVersion, TreeVersion]) -> None:
    alpha, beta = bank
    prompt(alpha, "l2", en=SHARD, zh_Hans=SHARD_ZH)
    prompt(beta, "l3", en=SHARDS)
    given = queries.whole(alpha).outline
    strange = replace(given, key="strange")

    assert told(repeats_in_bank([given])) == [("l2", "prompt.en", "beta", "l3")]
    assert [(one[0], one[2:]) for one in told(repeats_in_bank([strange]))] == [
        (probe.key, ("alpha", probe.key)) for probe in strange.probes
    ]
    assert repeats_in_bank([given, queries.whole(beta).outline]) == []
    compare_waiting()
    call_different(NearPair.objects.get(), by=cast.cora)
    assert repeats_in_bank([given]) == []
