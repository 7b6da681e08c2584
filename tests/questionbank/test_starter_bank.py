"""The trees that come with the product, and the example in the documentation: complete, bilingual, right."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from questionbank.enums import Aim, ProbeKind, Purpose, SignalKind
from questionbank.exchange.files import read_paths
from questionbank.exchange.readings import Reading
from questionbank.exchange.yaml import read
from questionbank.lint import gaps
from questionbank.outline import OutlineProbe, OutlineTree, Text, levels

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
BANK = ROOT / "questionbank" / "bank"
READINGS = {Path(reading.file).stem: reading for reading in read_paths([BANK])}
TREES = {name: reading.tree for name, reading in READINGS.items() if reading.tree}
HAN = "\u3400-\u9fff"


def said(tree: OutlineTree) -> list[Text]:
    found: list[Text] = [tree.title, tree.topic.title]
    for probe in tree.probes:
        found += [probe.title, probe.prompt, *([probe.branch.heard] if probe.branch and probe.branch.heard else [])]
        found += [text for texts in probe.signals.values() for text in texts]
        found += [text for scale in probe.anchors.values() for text in scale.values()]
    return found


def probe_of(name: str, key: str) -> OutlineProbe:
    return next(probe for probe in TREES[name].probes if probe.key == key)


def test_plan_to_begin_with_takes_three_trees_of_the_bank() -> None:
    plan = READINGS["plan"].plan
    assert plan is not None
    assert sorted(entry.tree for entry in plan.trees) == ["data-parallel-training", "evaluation-design", "zero-stages"]
    assert {entry.tree for entry in plan.trees} < set(TREES)
    assert sum(entry.minutes for entry in plan.trees) == 60


@pytest.mark.parametrize("name", sorted(READINGS))
def test_file_has_nothing_wrong(name: str) -> None:
    assert READINGS[name].problems == ()


@pytest.mark.parametrize("name", sorted(TREES))
def test_tree_goes_down_four_levels_for_each_aim(name: str) -> None:
    tree = TREES[name]
    found = levels(tree)

    # The vision-language tree shows how many fields somebody has walked.
    assert tree.purpose is (Purpose.BREADTH if name == "vision-language-training" else Purpose.BOUNDARY)
    assert tree.misses == 2
    assert max(found.values()) >= 4
    # A dimension has no value below two ratings: every tree alone can give one.
    asked = Counter(aim for probe in tree.probes for aim in probe.aims if probe.kind is not ProbeKind.RESCUE)
    assert all(asked[aim] >= 2 for aim in Aim)
    assert any(probe.kind is ProbeKind.RESCUE for probe in tree.probes)
    assert any(probe.same_level for probe in tree.probes)
    # Someone who has only read about it can be asked on, too.
    assert any(probe.branch and probe.branch.heard for probe in tree.probes)


@pytest.mark.parametrize("name", sorted(TREES))
def test_probe_says_what_to_listen_for(name: str) -> None:
    for probe in TREES[name].probes:
        assert len(probe.signals[SignalKind.STRONG]) >= 3, probe.key
        assert len(probe.signals[SignalKind.WEAK]) >= 2, probe.key
        assert len(probe.signals[SignalKind.RECITED]) >= 1, probe.key
        if probe.branch:
            assert probe.branch.outcomes, f"{probe.key}: a follow-up on any outcome is no branch"


@pytest.mark.parametrize("name", sorted(TREES))
def test_texts_stand_in_both_languages(name: str) -> None:
    for text in said(TREES[name]):
        assert set(text) == {"en", "zh-Hans"}
        assert re.search(f"[{HAN}]", text["zh-Hans"]) or text["zh-Hans"] == text["en"], text
        assert not re.search(f"[{HAN}]", text["en"]), text
        # A folded line of YAML would have put a space between two characters.
        assert not re.search(f"[{HAN}] +[{HAN}]", text["zh-Hans"]), text


@pytest.mark.parametrize("name", sorted(TREES))
def test_prompt_asks_one_question(name: str) -> None:
    for probe in TREES[name].probes:
        assert probe.prompt["en"].count("?") <= 1, probe.key
        assert probe.prompt["zh-Hans"].count("？") <= 1, probe.key
        assert not re.search(r", and (how|what|why|when|where|which)\b", probe.prompt["en"]), probe.key


@pytest.mark.parametrize("name", sorted(TREES))
def test_keys_of_a_tree_begin_alike(name: str) -> None:
    assert len({probe.key.split("-")[0] for probe in TREES[name].probes}) == 1


def test_zero_states_the_papers_figure_and_leaves_the_rumour_to_the_weak() -> None:
    signals = probe_of("zero-stages", "zero-cost").signals
    strong = " ".join(text["en"] for text in signals[SignalKind.STRONG])
    weak = " ".join(text["en"] for text in signals[SignalKind.WEAK])

    assert "1.5 times" in strong
    assert "latency" in strong
    assert "Several times" in weak
    assert "Rajbhandari" in READINGS["zero-stages"].source


def test_evaluation_is_the_fullest_tree() -> None:
    sizes = {name: len(tree.probes) for name, tree in TREES.items()}

    assert max(sizes, key=lambda name: sizes[name]) == "evaluation-design"


def test_figures_of_the_paradox_add_up() -> None:
    # Two raters flag p each, independently expected to agree in p^2 + (1-p)^2; the prompt says 95% and kappa 0.1.
    chance = 0.029**2 + (1 - 0.029) ** 2

    assert chance == pytest.approx(0.944, abs=0.001)
    assert (0.95 - chance) / (1 - chance) == pytest.approx(0.1, abs=0.02)


def test_agents_stand_under_one_topic() -> None:
    agents = {name for name, tree in TREES.items() if tree.topic.key == "agents"}

    assert agents >= {"llm-or-agent", "tool-interfaces", "agent-patterns"}


def test_figures_of_the_agents_loop_add_up() -> None:
    # Said in agent-compound, agent-plain, and the head of the file.
    assert [each**20 for each in (0.95, 0.99)] == pytest.approx([0.36, 0.82], abs=0.005)
    assert [each**8 for each in (0.6,)] == pytest.approx([0.017], abs=0.0005)
    assert sum(1_000 * step for step in range(1, 21)) == 210_000


def test_figures_of_the_tools_add_up() -> None:
    strong = {
        key: " ".join(text["en"] for text in probe_of("tool-interfaces", key).signals[SignalKind.STRONG])
        for key in ("tool-standard", "tool-many")
    }

    assert (5 * 12, 5 + 12, 80 * 200) == (60, 17, 16_000)
    assert "Sixty adapters turn into seventeen" in strong["tool-standard"]
    assert "16,000" in strong["tool-many"]


def test_figures_of_the_patterns_add_up() -> None:
    # Ten calls: the loop asks eleven times and reads all turns before, a plan asks twice.
    asked = 11 * 2_000
    read_again = sum(500 * turns for turns in range(11))

    assert (asked, read_again, 2_000 + 2_000 + 10 * 500) == (22_000, 27_500, 9_000)
    strong = [text["en"] for text in probe_of("agent-patterns", "pattern-tokens").signals[SignalKind.STRONG]]
    assert "22,000 and 27,500" in strong[0]
    assert "9,000" in strong[1]


def test_reflection_states_the_papers_figure() -> None:
    strong = " ".join(text["en"] for text in probe_of("agent-patterns", "pattern-reflect").signals[SignalKind.STRONG])

    assert "16% of the MBPP programs" in strong
    assert "16.3% were wrong on MBPP" in READINGS["agent-patterns"].source


def trigrams(text: str) -> set[str]:
    """Of each word with two blanks before it and one after, as PostgreSQL's pg_trgm counts them."""
    words = [f"  {word} " for word in re.findall(r"\w+", text.lower())]
    return {word[start : start + 3] for word in words for start in range(len(word) - 2)}


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_no_two_prompts_of_the_bank_say_nearly_the_same(language: str) -> None:
    prompts = {probe.key: trigrams(probe.prompt[language]) for tree in TREES.values() for probe in tree.probes}

    alike = {
        (one, other): len(prompts[one] & prompts[other]) / len(prompts[one] | prompts[other])
        for one, other in combinations(prompts, 2)
    }
    assert {pair: share for pair, share in alike.items() if share >= 0.5} == {}


@pytest.mark.parametrize("key", sorted({tree.topic.key for tree in TREES.values()}))
def test_trees_of_a_topic_give_it_one_title(key: str) -> None:
    titles = [tree.topic.title for tree in TREES.values() if tree.topic.key == key]

    assert all(title == titles[0] for title in titles)


def test_probes_of_all_trees_have_different_keys() -> None:
    keys = Counter(probe.key for tree in TREES.values() for probe in tree.probes)

    assert [key for key, count in keys.items() if count > 1] == []


def test_figures_of_vision_and_language_add_up() -> None:
    strong = {
        key: " ".join(text["en"] for text in probe_of("vision-language-training", key).signals[SignalKind.STRONG])
        for key in ("vlm-tokens", "vlm-frozen", "vlm-layout")
    }

    assert (336 // 14) ** 2 == 576
    assert "576 positions" in strong["vlm-tokens"]
    # Forward, gradients of the inputs, gradients of the weights: as many operations each, the last of them saved.
    assert "two thirds" in strong["vlm-frozen"]
    # Gigabytes of 16 bytes a parameter. Four patches a token make the encoder dearer than one stage of four.
    assert (6 * 16, 70 * 16) == (96, 1_120)
    assert "96 GB" in strong["vlm-layout"]
    assert 4 * 6 > 70 / 4


# --- the documentation


def examples() -> list[Reading]:
    page = (ROOT / "docs" / "tree-format.md").read_text(encoding="utf-8")
    return [read(block.encode(), file="docs/tree-format.md") for block in re.findall(r"```yaml\n(.*?)```", page, re.S)]


def test_documented_examples_are_read() -> None:
    tree, plan = examples()

    assert tree.problems == ()
    assert plan.problems == ()
    assert tree.tree is not None
    assert plan.plan is not None
    assert plan.plan.trees[0].tree == tree.tree.key
    # The page says of its last probe that it can't be published.
    assert {gap.probe for gap in gaps(tree.tree)} == {"clip-what-rescue"}


def test_documentation_names_every_field() -> None:
    page = (ROOT / "docs" / "tree-format.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `([a-z_]+)` \|", page.partition("## What the linter finds")[0], re.M))

    assert rows == {
        *("format", "tree", "topic", "title", "languages", "purpose", "minutes", "discontinue", "probes"),
        *("key", "after", "when", "heard", "level", "kind", "same_level", "aims", "scoring", "prompt", "signals"),
        "anchors",
    }
