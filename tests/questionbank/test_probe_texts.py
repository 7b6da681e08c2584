"""What is searched follows what probes say, whoever writes them and by whatever way."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import hypothesis
import psycopg
import pytest
from django.db import connection, transaction
from hypothesis import strategies as st

from questionbank.enums import SignalKind, VersionState
from questionbank.exchange.files import read_paths
from questionbank.folding import Letter, folded, letter_class
from questionbank.models import Probe, ProbeText, Signal, TreeVersion
from questionbank.services.importing import import_readings
from tests.support.factories import make_tree

pytestmark = pytest.mark.db

BANK = Path(__file__).resolve().parents[2] / "questionbank" / "bank"


def grams(words: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT questionbank_grams(questionbank_folded(%s))", [words])
        return set(cursor.fetchone()[0])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", ""),
        ("数据并行", "数 据 并 行 数据 据并 并行"),
        ("NCCL timeouts", "n nc t ti"),
        ("ZeRO-3, fp16", "z ze 3 f fp"),
        ("zero_stage x", "z ze s st x"),
        ("用GPU卡", "用 卡 用g g gp u卡"),
        ("第2步。", "第 步 第2 2步 2"),
        ("ＮＣＣＬ", "n nc"),
        ("Größe über ß", "g gr ü üb s ss"),
        ("a——b", "a b"),
        ("𠮷野家", "𠮷 野 家 𠮷野 野家"),
        ("コピー", "コ ピ ー コピ ピー"),
    ],
)
def test_grams_are_han_pairs_and_the_first_letters_of_words(db: None, words: str, expected: str) -> None:
    assert grams(words) == set(expected.split())


def grams_by_letter(words: str) -> set[str]:
    """The rule in Python: a letter that begins a word or needs no word, and it with the letter behind it."""
    found: set[str] = set()
    before = Letter.NONE
    for letter, behind in pairwise([*words, " "]):
        kind, next_kind = letter_class(letter), letter_class(behind)
        begins = kind is Letter.SPACELESS or (kind is Letter.SPACED and before is not Letter.SPACED)
        if begins:
            found.add(letter)
        if kind and next_kind and (begins or next_kind is Letter.SPACELESS):
            found.add(letter + behind)
        before = kind
    return found


@hypothesis.settings(max_examples=300, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
@hypothesis.given(st.lists(st.text(st.sampled_from("ab9zé×÷ÿῼ'.,_- \n用數コ한𠮷")), max_size=3).map(" ".join))
def test_grams_are_the_same_letter_by_letter_and_word_by_word(db: None, words: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT questionbank_grams(%s)", [words])
        assert set(cursor.fetchone()[0]) == grams_by_letter(words)


@pytest.mark.parametrize("words", ["ＮＣＣＬ　Ｔｉｍｅｏｕｔ", "ﬁne Größe ÄÖ", "数据①㎏", "STRASSE", "e\u0301 é"])
def test_both_foldings_agree(db: None, words: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT questionbank_folded(%s)", [words])
        assert cursor.fetchone()[0] == folded(words)


def words_of(probe: Probe) -> dict[str, str]:
    return dict(ProbeText.objects.filter(probe=probe).values_list("language", "words"))


def test_a_probe_is_described_in_each_language_with_its_signals(db: None) -> None:
    version = make_tree("zero", depth=2, state=VersionState.DRAFT, title={"en": "ZeRO Stages"})
    root, second = version.probes.get(key="root"), version.probes.get(key="l2")

    assert words_of(root) == {
        "en": "zero stages\nroot of zero\nwhat about root in zero?\n"
        "recited answer to root\nstrong answer to root\nweak answer to root",
        "zh-Hans": "root 标题\nroot 怎么样?",
    }
    assert words_of(second)["en"].startswith("l2 of zero\nwhat about l2 in zero?\n")
    assert ProbeText.objects.get(probe=root, language="zh-Hans").prompt == "root 怎么样?"


def test_what_is_searched_follows_every_change(db: None) -> None:
    version = make_tree("zero", depth=2, state=VersionState.DRAFT)
    root = version.probes.get(key="root")
    signal = root.signals.get(kind=SignalKind.STRONG)

    Probe.objects.filter(pk=root.pk).update(prompt={"en": "Why shard?", "de": "Warum teilen?"}, title={"en": "Shards"})
    Signal.objects.filter(pk=signal.pk).update(text={"en": "Memory per GPU", "fr": "Mémoire"})
    TreeVersion.objects.filter(pk=version.pk).update(title={"de": "Stufen"})

    said = words_of(root)
    assert said.keys() == {"en", "de", "fr"}
    assert said["en"].startswith("shards\nwhy shard?\n")
    assert "memory per gpu" in said["en"]
    assert said["de"] == "stufen\nwarum teilen?"
    assert ProbeText.objects.get(probe=root, language="fr").prompt == ""

    signal.delete()
    assert words_of(root).keys() == {"en", "de"}
    assert "memory" not in words_of(root)["en"]


def test_only_another_prompt_is_to_be_compared_again(db: None) -> None:
    version = make_tree("zero", depth=2, state=VersionState.DRAFT)
    root = version.probes.get(key="root")
    ProbeText.objects.update(compared_at=version.created_at)

    Probe.objects.filter(pk=root.pk).update(title={"en": "Another title"})
    Probe.objects.filter(pk=root.pk).update(minutes=9)
    assert not ProbeText.objects.filter(compared_at=None).exists()

    Probe.objects.filter(pk=root.pk).update(prompt={**root.prompt, "en": "Another question?"})
    assert [text.language for text in ProbeText.objects.filter(compared_at=None)] == ["en"]


def test_a_probe_that_goes_takes_its_texts_along(db: None) -> None:
    version = make_tree("zero", depth=3, state=VersionState.DRAFT)
    kept = ProbeText.objects.filter(probe__key="root").count()

    with transaction.atomic():
        version.probes.exclude(key="root").delete()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    assert (ProbeText.objects.count(), kept) == (2, 2)


def test_the_application_writes_probes_and_what_is_searched(as_application: psycopg.Connection[Any]) -> None:
    version = make_tree("zero", depth=2, state=VersionState.DRAFT)
    probe = version.probes.get(key="l2")

    as_application.execute("""UPDATE questionbank_probe SET prompt = '{"en": "Changed"}' WHERE id = %s""", [probe.pk])
    as_application.execute("DELETE FROM questionbank_signal WHERE probe_id = %s", [probe.pk])

    assert "changed" in words_of(probe)["en"]
    assert "strong answer" not in words_of(probe)["en"]


def test_an_import_is_described_whole(db: None) -> None:
    import_readings(read_paths([BANK]), publish=True)

    assert not Probe.objects.exclude(texts__language="en").exists()
    assert not Probe.objects.exclude(texts__language="zh-Hans").exists()
