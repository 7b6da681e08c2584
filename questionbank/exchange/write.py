"""Outline -> our YAML. For trees that came from no file; one that did goes out by `update`."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import LiteralScalarString

from questionbank.enums import Scoring
from questionbank.ordering import english_first
from questionbank.outline import RATINGS, OutlineProbe, OutlineTree, Text, levels, walk

WIDE: Final = (
    1_000_000  # one text a line: a diff then names the text that changed, and no Han text gets a space in a fold
)


def write(tree: OutlineTree) -> str:
    """Return the file whose reading is this tree again. Its `languages` are those that all its texts have, if any."""
    content = document(tree, [placed.probe for placed in walk(tree)])
    content.yaml_set_comment_before_after_key("probes", before="\n")
    for number in range(1, len(content["probes"])):
        content["probes"].yaml_set_comment_before_after_key(number, before="\n", indent=2)
    return dump(content)


def dump(content: Any) -> str:
    """Return values as YAML in the layout of our files. A list stands two spaces in."""
    yaml = YAML(typ="rt", pure=True)
    yaml.width = WIDE
    yaml.allow_unicode = True
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = io.StringIO()
    yaml.dump(content, stream)
    return stream.getvalue()


def document(tree: OutlineTree, probes: list[OutlineProbe]) -> CommentedMap:
    """Return the values of a file, names in their order, with the probes in the order given."""
    found = levels(tree)
    return CommentedMap(
        {
            "format": 1,
            "tree": tree.key,
            "topic": {"key": tree.topic.key, "title": _text(tree.topic.title)},
            "title": _text(tree.title),
            "languages": _flow(tree.languages),
            "purpose": tree.purpose.value,
            "minutes": tree.minutes,
            "discontinue": {"misses": tree.misses, "second_try": tree.second_try},
            "probes": CommentedSeq(_probe(probe, found[probe.key]) for probe in probes),
        }
    )


def _probe(probe: OutlineProbe, level: int) -> CommentedMap:
    entry = CommentedMap(key=probe.key)
    if probe.branch:
        entry["after"] = probe.branch.parent
        if probe.branch.outcomes:
            entry["when"] = _flow([outcome.value for outcome in probe.branch.outcomes])
        if probe.branch.heard:
            entry["heard"] = _text(probe.branch.heard)
    entry["level"] = level
    entry["kind"] = probe.kind.value
    if probe.same_level:
        entry["same_level"] = True
    entry["aims"] = _flow([aim.value for aim in probe.aims])
    entry["minutes"] = probe.minutes
    if not probe.scored:
        entry["scoring"] = Scoring.TRIAL.value
    entry["title"] = _text(probe.title)
    entry["prompt"] = _text(probe.prompt)
    signals = {kind.value: [_text(text) for text in texts] for kind, texts in probe.signals.items() if texts}
    if signals:
        entry["signals"] = signals
    anchors = {aim.value: _scale(scale) for aim, scale in probe.anchors.items() if scale}
    if anchors:
        entry["anchors"] = anchors
    return entry


def _scale(scale: Mapping[int, Text]) -> dict[int, dict[str, str]]:
    return {rating: _text(scale[rating]) for rating in RATINGS if rating in scale}


def _text(text: Text) -> dict[str, str]:
    """English first, then by tag. Several lines stay lines."""
    ordered = sorted(text.items(), key=lambda item: english_first(item[0]))
    return {tag: LiteralScalarString(words) if "\n" in words else words for tag, words in ordered}


def _flow(items: Any) -> CommentedSeq:
    listing = CommentedSeq(items)
    listing.fa.set_flow_style()
    return listing
