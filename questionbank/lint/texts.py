"""What the words of a tree show by themselves: a translation that is missing, two questions in one, words left open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from typing import Final

from questionbank.enums import Aim
from questionbank.outline import OutlineProbe, OutlineTree, Text, texts

# What a prompt only cites asks nothing: code, addresses, what stands in quotes.
_CITED: Final = re.compile(
    r"```.*?```|`[^`]*`|https?://\S+|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』|(?<!\w)\"[^\"]*\"", re.DOTALL
)
_MARKS: Final = re.compile(r"[?？؟]+")
_WH: Final = r"(?:how|what|when|where|which|who|whom|whose|why)"
_VERB: Final = (
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must)(?:n['’]t)?"
)
# "..., and how would you measure it?", "... and what is left?", "..., and what comes next?" - but not "..., and why?":
# a choice with its reason is one question. "and what it costs" belongs to the question before.
_SECOND: Final = re.compile(
    rf"\w[^?]*?(?:\b(?:and|or)\s+(?:also\s+|then\s+)?{_WH}\s+(?:\w+\s+){{0,2}}?{_VERB}\s+\w"
    rf"|[,;]\s*(?:and|or)\s+(?!why\b){_WH}\s+\w+\s+\w+)",
    re.IGNORECASE,
)
_HAN_ASKS: Final = (
    r"(?:什么|怎么|怎样|如何|哪|谁|多少|多[大久长高]|几[个种次步]|是否|[吗嘛]|能不能|会不会|有没有|是不是)"
)
# Two clauses that ask, joined as two: "……是什么，又怎么……". "……，为什么？" gives the reason of the same one.
_HAN_SECOND: Final = re.compile(
    rf"{_HAN_ASKS}.*?[，,；;]\s*(?:并且?|而且|以及|还有|又|另外|同时|然后)[^，,；;]*{_HAN_ASKS}"
)
_HAN_WHY: Final = re.compile("为什么|为何|什么原因|什么理由")
# What people leave standing where words are still to come: a finding in a prompt, not a note of ours.
_OPEN: Final = re.compile(r"\b(?:TODO|TBD|FIXME|XXX)\b|待补充|待完善|to be completed", re.IGNORECASE)


def two_questions(words: str, language: str) -> bool:
    """Tell whether a prompt asks two things at once. Made for few false alarms: what it doesn't see, a reader does."""
    said = _CITED.sub(" ", words)
    if len(_MARKS.findall(said)) > 1:
        return True
    asked = _MARKS.search(said)
    if not asked:
        return False
    # A situation may come first: only the sentence that asks is looked at.
    sentence = re.split(r"(?<=[.!:。！：])\s*", said[: asked.start()])[-1]
    if language.startswith("en"):
        return bool(_SECOND.search(sentence))
    if language.startswith("zh"):
        return bool(_HAN_SECOND.search(_HAN_WHY.sub("", sentence)))
    return False


def untranslated(tree: OutlineTree, wanted: Set[str]) -> Iterator[tuple[str, str]]:
    """Yield (place, language) of what the tree's own titles lack."""
    for place, text in (("title", tree.title), ("topic.title", tree.topic.title)):
        for language in sorted(wanted - spoken(text)):
            yield place, language


def untranslated_of(probe: OutlineProbe, wanted: Set[str]) -> Iterator[tuple[str, str, int]]:
    """Yield (place of the first, language, how many) of the texts of a probe that lack a language."""
    found = [(place, wanted - spoken(text)) for place, text in texts(probe)]
    for language in sorted(wanted):
        lacking = [place for place, missing in found if language in missing]
        if lacking:
            yield lacking[0], language, len(lacking)


def spoken(text: Text) -> set[str]:
    return {language for language, words in text.items() if words.strip()}


def left_open(probe: OutlineProbe) -> Iterator[tuple[str, str]]:
    """Yield (place, word) of every text that says itself that it isn't finished."""
    for place, text in texts(probe):
        for language, words in text.items():
            if match := _OPEN.search(words):
                yield f"{place}.{language}", match[0]


def alike_anchors(probe: OutlineProbe) -> Iterator[tuple[Aim, int, int]]:
    """Yield (aim, lower rating, higher rating) where two ratings are earned by the same words."""
    for aim, scale in probe.anchors.items():
        first: dict[tuple[tuple[str, str], ...], int] = {}
        for rating in sorted(scale):
            words = _folded(scale[rating].items())
            if words in first:
                yield aim, first[words], rating
            first.setdefault(words, rating)


def _folded(items: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((language, " ".join(words.casefold().split())) for language, words in items))
