"""The words for the closed lists of an interview: {{ mark.outcome|word:"outcome" }}, {{ probe.aims|words:"aim" }}.

Values travel and are stored; words are for people and stand here once. A value without a word is a mistake that
tests/interviews/test_words.py finds; at run time it gives nothing rather than a raw value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from django import template
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from interviews.enums import (
    Aid,
    Aim,
    Confidence,
    Ended,
    EvidenceType,
    InterviewStatus,
    Outcome,
    ProbeKind,
    ReasonType,
    Role,
    StatementAid,
)

register = template.Library()

WORDS: Mapping[str, Mapping[StrEnum, object]] = {
    "outcome": {
        Outcome.SUSTAINED: _("Sustained"),
        Outcome.PARTIAL: _("Partial"),
        Outcome.RECITED: _("Recited"),
        Outcome.NOT_SUSTAINED: _("Not sustained"),
        Outcome.NOT_JUDGED: _("Not judged"),
    },
    # As they stand after "if".
    "outcome_if": {
        Outcome.SUSTAINED: pgettext_lazy("condition", "sustained"),
        Outcome.PARTIAL: pgettext_lazy("condition", "partial"),
        Outcome.RECITED: pgettext_lazy("condition", "recited"),
        Outcome.NOT_SUSTAINED: pgettext_lazy("condition", "not sustained"),
        Outcome.NOT_JUDGED: pgettext_lazy("condition", "not judged"),
    },
    "aid": {
        Aid.UNAIDED: _("Unaided"),
        Aid.CLARIFIED: _("Clarified"),
        Aid.HINTED: _("Hinted"),
        Aid.TOLD: _("Told"),
    },
    "aim": {Aim.DEPTH: _("Depth"), Aim.WHY: _("Why"), Aim.HANDS_ON: _("Hands-on")},
    "kind": {ProbeKind.CHECK: _("Check"), ProbeKind.PROBE: _("Probe"), ProbeKind.RESCUE: _("Rescue")},
    "ended": {
        Ended.NO_ANSWER: _("No answer"),
        Ended.WRONG: _("Wrong"),
        Ended.RECITED_ONLY: _("Only the textbook"),
        Ended.DECLINED: _("Declined"),
        Ended.TIME: _("Time ran out"),
        Ended.MOVED_ON: _("Moved on"),
        Ended.TOP_OF_TREE: _("Top of the tree"),
        Ended.NOT_EXPECTED: _("Not expected"),
        Ended.NOT_ASKED: _("Not asked"),
    },
    "confidence": {Confidence.LOW: _("little"), Confidence.MEDIUM: _("fairly"), Confidence.HIGH: _("very")},
    "evidence": {
        EvidenceType.RAN_IN_PRODUCTION: _("Ran in production"),
        EvidenceType.BUILT: _("Built"),
        EvidenceType.DEBUGGED: _("Debugged"),
        EvidenceType.MEASURED: _("Measured"),
        EvidenceType.READ_ABOUT: _("Read about"),
    },
    "reason": {
        ReasonType.ALTERNATIVE: _("Alternative"),
        ReasonType.CRITERION: _("Criterion"),
        ReasonType.CHOICE: _("Choice"),
        ReasonType.REGRET: _("Regret"),
    },
    "came_up": {StatementAid.UNAIDED: _("volunteered"), StatementAid.PROMPTED: _("asked for")},
    "role": {
        Role.LEAD: _("lead"),
        Role.INTERVIEWER: _("interviewer"),
        Role.SHADOW: _("shadow"),
        Role.OBSERVER: _("listening"),
        Role.CANDIDATE: _("candidate"),
    },
    "status": {
        InterviewStatus.SCHEDULED: _("Not started"),
        InterviewStatus.LIVE: _("Live"),
        InterviewStatus.PAUSED: _("Paused"),
        InterviewStatus.ENDED: _("Ended"),
        InterviewStatus.CANCELLED: _("Cancelled"),
        InterviewStatus.NO_SHOW: _("Nobody came"),
    },
}


@register.filter
def word(value: object, table: str) -> str:
    """The word for a value of the list, "" for no value or an unknown one."""
    found = next((words for item, words in WORDS[table].items() if item.value == value), "")
    return str(found)


@register.filter
def words(values: Iterable[object], table: str) -> str:
    """The words for several values, in the order given, joined as in a sentence."""
    return str(_(", ")).join(filter(None, (word(value, table) for value in values)))
