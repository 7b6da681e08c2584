"""What was found, as it is drawn: in which language, and where the words stand that were looked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from people.fields import words_in
from questionbank.enums import SignalKind, VersionState
from questionbank.folding import says, spans
from questionbank.models import Probe
from questionbank.queries.find import Found
from questionbank.views.drawing import DrawnProbe
from questionbank.wording import SIGNALS, STATES

MOST_SIGNALS = 3


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One probe. `signals`: (what kind, words) of those that say a word that was looked for."""

    node: DrawnProbe
    tree: SafeString
    title: SafeString
    prompt: SafeString
    signals: tuple[tuple[object, SafeString], ...]
    state: object


def found_rows(found: Found, terms: Sequence[str]) -> list[FoundRow]:
    return [_row(probe, terms) for probe in found.probes]


def _row(probe: Probe, terms: Sequence[str]) -> FoundRow:
    tag = _language(probe, terms)
    shown = [(SIGNALS[SignalKind(one.kind)], one.text) for one in probe.signals.all()]
    said = [(kind, text[tag]) for kind, text in shown if tag in text and spans(text[tag], terms)]
    return FoundRow(
        node=DrawnProbe(probe),
        tree=marked(probe.version.title, tag, terms),
        title=marked(probe.title, tag, terms),
        prompt=marked(probe.prompt, tag, terms),
        signals=tuple((kind, marked({tag: words}, tag, terms)) for kind, words in said[:MOST_SIGNALS]),
        state=STATES[VersionState(probe.version.status.state)],
    )


def _language(probe: Probe, terms: Sequence[str]) -> str:
    """Return the language in which all terms stand, the reader's if it is one of several."""
    own = words_in(probe.prompt)[1]
    tags = [own, *(tag for tag in probe.prompt if tag != own)]
    return next((tag for tag in tags if says(_said(probe, tag), terms)), own)


def _said(probe: Probe, tag: str) -> str:
    texts = [probe.title, probe.prompt, *(one.text for one in probe.signals.all())]
    if probe.parent_id is None:
        texts.append(probe.version.title)
    return "\n".join(text.get(tag, "") for text in texts)


def marked(text: Mapping[str, str], tag: str, terms: Sequence[str]) -> SafeString:
    """Draw a text as <span lang="...">, in this language where it has it, with the terms in <mark>."""
    words, shown = words_in(dict(text), tag)
    pieces = []
    at = 0
    for start, end in spans(words, terms):
        pieces.append(format_html("{}<mark>{}</mark>", words[at:start], words[start:end]))
        at = end
    return format_html(
        '<span lang="{}">{}{}</span>', shown, format_html_join("", "{}", ((one,) for one in pieces)), words[at:]
    )
