"""Trees for tests, as values and as text: small ones by hand, any shape by hypothesis."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, SignalKind
from questionbank.limits import says_something
from questionbank.outline import RATINGS, OutlineBranch, OutlineProbe, OutlineTopic, OutlineTree


def probe(key: str, after: str | None = None, kind: ProbeKind = ProbeKind.PROBE, **fields: Any) -> OutlineProbe:
    fields.setdefault("title", {"en": f"Title of {key}"})
    fields.setdefault("prompt", {"en": f"What about {key}?"})
    fields.setdefault("aims", (Aim.DEPTH,))
    fields.setdefault("minutes", 3)
    return OutlineProbe(key=key, kind=kind, branch=OutlineBranch(after) if after else None, **fields)


def tree(*probes: OutlineProbe, **fields: Any) -> OutlineTree:
    fields.setdefault("key", "a-tree")
    fields.setdefault("title", {"en": "A tree"})
    fields.setdefault("topic", OutlineTopic("a-topic", {"en": "A topic"}))
    fields.setdefault("languages", ("en",))
    return OutlineTree(probes=probes, **fields)


def complete(key: str, after: str | None = None, kind: ProbeKind = ProbeKind.PROBE, **fields: Any) -> OutlineProbe:
    """Return a probe with all signals and anchors: nothing keeps it from being published."""
    aims = fields.setdefault("aims", tuple(Aim))
    said = {kind_: ({"en": f"A {kind_} answer to {key}"},) for kind_ in SignalKind}
    scales = {aim: {rating: {"en": f"{aim} {rating} of {key}"} for rating in RATINGS} for aim in aims}
    return probe(key, after, kind, **{"signals": said, "anchors": scales, **fields})


LADDER = tree(
    probe("root", kind=ProbeKind.CHECK),
    probe("root-rescue", "root", ProbeKind.RESCUE),
    probe("two", "root"),
    probe("two-again", "two", ProbeKind.CHECK, same_level=True),
    probe("three", "two-again"),
    probe("three-check", "two", ProbeKind.CHECK),
)

# Letters of several scripts, quotes and what YAML itself uses; no control characters, no lone surrogates;
# composed, as the reader keeps them.
WORDS = (
    st.text(
        st.characters(
            codec="utf-8",
            exclude_categories=("Cc", "Cn", "Cs", "Zl", "Zp"),
            exclude_characters="\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
        ),
        min_size=1,
        max_size=30,
    )
    .map(lambda text: unicodedata.normalize("NFC", " ".join(text.split())))
    .filter(says_something)
)


LINES = (
    st.lists(WORDS | st.just("") | WORDS.map(lambda text: f"  {text}"), min_size=2, max_size=4)
    .map(lambda lines: "\n".join(lines).strip())
    .filter(says_something)
)
"""Words in several lines, as prompts with code have them."""


def texts(languages: Iterable[str], words: st.SearchStrategy[str] = WORDS) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries(dict.fromkeys(languages, words))


@st.composite
def trees(draw: st.DrawFn) -> OutlineTree:
    """Any sound tree, complete or not, with one to eight probes hung anywhere."""
    languages = draw(st.sampled_from([("en",), ("zh-Hans",), ("en", "zh-Hans"), ("en", "pt-BR")]))
    said = texts(languages)
    asked = texts(languages, WORDS | LINES.filter(bool))
    probes: list[OutlineProbe] = []
    for number in range(draw(st.integers(1, 8))):
        kind = draw(st.sampled_from(ProbeKind)) if probes else ProbeKind.CHECK
        aims = tuple(aim for aim in Aim if draw(st.booleans())) or (Aim.DEPTH,)
        branch = None
        if probes:
            outcomes = tuple(outcome for outcome in BranchOutcome if draw(st.booleans()))
            heard = draw(st.one_of(st.just({}), said))
            branch = OutlineBranch(draw(st.sampled_from(probes)).key, outcomes, heard)
        signals = {kind_: tuple(draw(st.lists(said, max_size=2))) for kind_ in SignalKind}
        anchors = {aim: {rating: draw(said) for rating in draw(st.sets(st.integers(0, 4)))} for aim in aims}
        probes.append(
            OutlineProbe(
                key=f"probe-{number}",
                title=draw(said),
                prompt=draw(asked),
                kind=kind,
                aims=aims,
                minutes=draw(st.integers(1, 60)),
                branch=branch,
                same_level=bool(branch) and kind is ProbeKind.CHECK and draw(st.booleans()),
                scored=draw(st.booleans()),
                signals={kind_: listed for kind_, listed in signals.items() if listed},
                anchors={aim: scale for aim, scale in anchors.items() if scale},
            )
        )
    return OutlineTree(
        key="any-tree",
        title=draw(said),
        topic=OutlineTopic("any-topic", draw(said)),
        languages=languages,
        probes=tuple(probes),
        minutes=draw(st.integers(1, 240)),
        purpose=draw(st.sampled_from(Purpose)),
        misses=draw(st.integers(1, 9)),
        second_try=draw(st.booleans()),
    )


SOURCE = """\
format: 1
tree: clocks
topic:
  key: time
  title: {en: Time}
title: {en: Clocks}
languages: [en]
minutes: 12
probes:
  - key: clock-root
    level: 1
    kind: check
    aims: [depth, why, hands_on]
    minutes: 3
    title: {en: Two clocks}
    prompt: {en: "Why do two clocks differ?"}
    signals:
      strong: [{en: Drift}, {en: "No common start"}]
      recited: [{en: "“Skew”"}]
      weak: [{en: They do not}]
    anchors:
      depth: {0: {en: d0}, 1: {en: d1}, 2: {en: d2}, 3: {en: d3}, 4: {en: d4}}
      why: {0: {en: w0}, 1: {en: w1}, 2: {en: w2}, 3: {en: w3}, 4: {en: w4}}
      hands_on: {0: {en: h0}, 1: {en: h1}, 2: {en: h2}, 3: {en: h3}, 4: {en: h4}}
  - key: clock-next
    after: clock-root
    when: [sustained]
    heard: {en: has set one}
    level: 2
    kind: probe
    aims: [depth]
    minutes: 4
    title: {en: Setting}
    prompt: {en: "What do you read while it is being set?"}
    signals: {strong: [{en: A jump}], recited: [{en: NTP}], weak: [{en: Nothing}]}
    anchors:
      depth: {0: {en: a}, 1: {en: b}, 2: {en: c}, 3: {en: d}, 4: {en: e}}
"""
"""A complete tree of two probes. Tests break it by replacing one piece: `SOURCE.replace(old, new)`."""
