"""Draft -> trees of the bank: keys made from words, a language, and defaults that a curator changes afterwards.

The same file twice gives the same keys. A key is made of the words of its text and six digits of a hash over the text
and where it stands, so that Chinese has keys too and two files that ask alike in different topics don't meet.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from questionbank.enums import Aim, ProbeKind, SignalKind
from questionbank.exchange.outlines.draft import DraftTree, OutlineDraft, Question, Topic, Unplaced, Why, topic_name
from questionbank.limits import MOST_PROBES, MOST_SIGNALS, PART, PROMPT, TITLE
from questionbank.outline import MOST_ANCESTORS, OutlineBranch, OutlineProbe, OutlineTopic, OutlineTree, Text

SHORT_TITLE: Final = 70
PROBE_MINUTES: Final = 3

_WORD = re.compile(r"[a-z0-9]+")
_WHY = re.compile(r"^why\b|\bwhy\b[^?]{0,40}\?|为什么|为何|为啥|凭什么", re.IGNORECASE)
_HANDS_ON = re.compile(
    r"^(?:write|implement|code|sketch|draw|debug|fix|refactor)\b|\b(?:did|have|had) you\b|"
    r"\btell me about a(?: \w+)? time\b|"
    r"\b(?:a|the last) time (?:when )?you\b|手写|写一|写出|实现一|你(?:们)?(?:做|用|遇到|处理|经历|量|调|"
    r"排查)过|一次.{0,12}(?:经过|经历)",
    re.IGNORECASE,
)
UNSORTED: Final = OutlineTopic("unsorted", {"en": "Unsorted", "zh-Hans": "未分类"})
"""The topic of trees that came without one."""


@dataclass(slots=True)
class DraftTrees:
    """Trees in the order of the file. `left_out` is what the bank has no room for, to be listed beside the unplaced."""

    trees: list[OutlineTree] = field(default_factory=list)
    left_out: list[Unplaced] = field(default_factory=list)
    topics: list[OutlineTopic] = field(default_factory=list)
    """Topics that hold other topics and no tree themselves."""
    lines: dict[str, dict[str, int]] = field(default_factory=dict)
    """Key of a tree -> key of a probe -> where it stands in the file; "" is the tree itself."""


def trees_of(draft: OutlineDraft) -> DraftTrees:
    """Turn the trees of a draft into outlines that can be imported."""
    made = DraftTrees()
    languages = _languages_of_topics(draft.trees)
    holding = {tree.topic for tree in draft.trees}
    made.topics += [_topic(topic, languages[topic]) for topic in draft.topics if topic not in holding]
    keys: set[str] = set()
    for tree in draft.trees:
        outline, lines = _tree(tree, languages[tree.topic], made.left_out, keys)
        made.trees.append(outline)
        made.lines[outline.key] = lines
    return made


def language_of(texts: Iterable[str]) -> str:
    """Return `zh-Hans` when Chinese characters outweigh words in Latin letters, else `en`."""
    han = latin = 0
    for text in texts:
        han += sum(1 for character in text if "\u3400" <= character <= "\u9fff" or character >= "\U00020000")
        latin += len(re.findall(r"[A-Za-z]{2,}", text))
    return "zh-Hans" if han > latin else "en"


def _languages_of_topics(trees: Iterable[DraftTree]) -> dict[Topic, tuple[str, ...]]:
    """Return the languages of the trees in each topic and inside it: its name has to stand in all of them."""
    found: dict[Topic, set[str]] = {}
    for tree in trees:
        for length in range(len(tree.topic) + 1):
            found.setdefault(tree.topic[:length], set()).add(_language(tree))
    return {topic: tuple(sorted(tags)) for topic, tags in found.items()}


def _language(tree: DraftTree) -> str:
    return language_of(question.prompt for _level, question in tree.probes())


def _tree(
    tree: DraftTree, languages: tuple[str, ...], left_out: list[Unplaced], keys: set[str]
) -> tuple[OutlineTree, dict[str, int]]:
    tag = _language(tree)
    key = _unlike(key_of(tree.root.prompt, *tree.topic), keys)
    probes: list[OutlineProbe] = []
    lines = {"": tree.root.line}
    own: set[str] = set()
    stack: list[tuple[Question, str | None, int]] = [(tree.root, None, 0)]
    while stack:
        question, parent, depth = stack.pop()
        if depth > MOST_ANCESTORS or len(probes) >= MOST_PROBES:
            why = Why.TOO_DEEP if depth > MOST_ANCESTORS else Why.TOO_MANY
            left_out += [Unplaced(text, question.line, why) for text in (question.prompt, question.answer) if text]
        else:
            probe = _probe(question, parent, tag, left_out, own)
            probes.append(probe)
            lines[probe.key] = question.line
            parent = probe.key
        stack += [(one, parent, depth + 1) for one in reversed(question.follow_ups)]
    outline = OutlineTree(
        key=key,
        title={tag: title_of(tree.root.prompt)},
        topic=_topic(tree.topic, languages),
        languages=(tag,),
        probes=tuple(probes),
        minutes=min(240, max(10, PROBE_MINUTES * len(probes))),
    )
    return outline, lines


def _probe(question: Question, parent: str | None, tag: str, left_out: list[Unplaced], keys: set[str]) -> OutlineProbe:
    prompt, rest = _cut(_composed(question.prompt), PROMPT)
    if rest:
        left_out.append(Unplaced(rest, question.line, Why.TOO_LONG))
    signals = _signals(question, tag, left_out)
    return OutlineProbe(
        key=_unlike(key_of(question.prompt), keys),
        title={tag: title_of(question.prompt)},
        prompt={tag: prompt},
        kind=ProbeKind.PROBE if parent else ProbeKind.CHECK,
        aims=(_aim(prompt),),
        minutes=PROBE_MINUTES,
        branch=OutlineBranch(parent) if parent else None,
        signals={SignalKind.STRONG: signals} if signals else {},
    )


def _signals(question: Question, tag: str, left_out: list[Unplaced]) -> tuple[Text, ...]:
    """Return the answer as one signal, or as several where it is too long for one."""
    parts: list[Text] = []
    rest = _composed(question.answer or "")
    while rest and len(parts) < MOST_SIGNALS:
        part, rest = _cut(rest, PART)
        parts.append({tag: part})
    if rest:
        left_out.append(Unplaced(rest, question.line, Why.TOO_LONG))
    return tuple(parts)


def _cut(text: str, limit: int) -> tuple[str, str]:
    """Cut a text at the last paragraph, line, sentence or word that fits."""
    text = text.strip()
    if len(text) <= limit:
        return text, ""
    head = text[:limit]
    for end in ("\n\n", "\n", "。", ". ", " "):
        at = head.rfind(end)
        if at > limit // 3:
            at += len(end.rstrip())
            return text[:at].rstrip(), text[at:].lstrip()
    return head, text[limit:]


def _topic(topic: Topic, languages: tuple[str, ...]) -> OutlineTopic:
    if not topic:
        return UNSORTED
    name = _composed(" ".join(topic_name(topic).split()))
    title = name if len(name) <= TITLE else name[: TITLE - 1].rstrip() + "…"
    return OutlineTopic(key_of(name, hashed=slug(name, 74) != name.casefold()), dict.fromkeys(languages, title))


def title_of(prompt: str) -> str:
    """Return a few words for lists: the first line of a prompt, cut at a word."""
    line = _composed(" ".join(next((one for one in prompt.split("\n") if one.strip()), "").split()))
    if len(line) <= SHORT_TITLE:
        return line
    head = line[:SHORT_TITLE]
    at = head.rfind(" ")
    return (head[:at] if at > SHORT_TITLE // 2 else head).rstrip(" ,;:，；：") + "…"


def _aim(prompt: str) -> Aim:
    if _HANDS_ON.search(prompt):
        return Aim.HANDS_ON
    return Aim.WHY if _WHY.search(prompt) else Aim.DEPTH


def key_of(text: str, *place: str, hashed: bool = True) -> str:
    """Return a key for a text at its place: its first words and six digits that stand for all of it."""
    words = slug(text, 56)
    if not hashed:
        return words
    digest = hashlib.sha256("\n".join((" ".join(_composed(text).split()), *place)).encode()).hexdigest()
    return f"{words}-{digest[:6]}"


def slug(text: str, limit: int) -> str:
    """Return the Latin words and digits of a text, joined by hyphens; `q` where there are none."""
    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    made = ""
    for word in _WORD.findall(plain):
        longer = f"{made}-{word}" if made else word
        if len(longer) > limit:
            break
        made = longer
    if not made or not made[0].isalpha():
        made = f"q-{made}" if made else "q"
    return made


def _unlike(key: str, keys: set[str]) -> str:
    """Return the key, with a number where it is taken: the same question twice in one file."""
    number, unlike = 1, key
    while unlike in keys:
        number += 1
        unlike = f"{key}-{number}"
    keys.add(unlike)
    return unlike


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)
