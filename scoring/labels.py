"""What the closed lists are called on cards and panel pages."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from interviews.enums import Aid, Aim, Decision, Ended, EvidenceType, Outcome, ReasonType, StatementAid
from scoring.enums import Cap, DebriefPhase, JudgeKind, MarkingCause, Recommendation, StatementKind

Words = str | Promise

AIMS: Mapping[str, Words] = {Aim.DEPTH: _("Depth"), Aim.WHY: _("Why"), Aim.HANDS_ON: _("Hands-on")}
OUTCOMES: Mapping[str, Words] = {
    Outcome.SUSTAINED: _("sustained"),
    Outcome.PARTIAL: _("partial"),
    Outcome.RECITED: _("recited"),
    Outcome.NOT_SUSTAINED: _("not sustained"),
    Outcome.NOT_JUDGED: _("not judged"),
}
AIDS: Mapping[str, Words] = {
    Aid.UNAIDED: _("unaided"),
    Aid.CLARIFIED: _("clarified"),
    Aid.HINTED: _("hinted"),
    Aid.TOLD: _("told"),
}
ENDED: Mapping[str, Words] = {
    Ended.NO_ANSWER: _("No answer."),
    Ended.WRONG: _("Wrong."),
    Ended.RECITED_ONLY: _("Only the textbook."),
    Ended.DECLINED: _("Declined."),
    Ended.TIME: _("Time ran out."),
    Ended.MOVED_ON: _("Moved on."),
    Ended.TOP_OF_TREE: _("Top of the tree."),
    Ended.NOT_EXPECTED: _("Not expected: has not met it."),
    Ended.NOT_ASKED: _("Not asked."),
}
STATEMENTS: Mapping[str, Words] = {
    EvidenceType.RAN_IN_PRODUCTION: _("Ran in production"),
    EvidenceType.BUILT: _("Built"),
    EvidenceType.DEBUGGED: _("Debugged"),
    EvidenceType.MEASURED: _("Measured"),
    EvidenceType.READ_ABOUT: _("Read about"),
    ReasonType.ALTERNATIVE: _("Alternative"),
    ReasonType.CRITERION: _("Criterion"),
    ReasonType.CHOICE: _("Choice"),
    ReasonType.REGRET: _("Regret"),
}
STATEMENT_AIDS: Mapping[str, Words] = {StatementAid.UNAIDED: _("volunteered"), StatementAid.PROMPTED: _("asked for")}
RECOMMENDATIONS: Mapping[str, Words] = {
    Recommendation.STRONG_NO: _("Strong no"),
    Recommendation.NO: _("No"),
    Recommendation.YES: _("Yes"),
    Recommendation.STRONG_YES: _("Strong yes"),
    Recommendation.NO_DECISION: _("No decision"),
}
CAPS: Mapping[str, Words] = {
    Cap.RECITED: _("marked recited"),
    Cap.TOLD: _("told the answer"),
    Cap.READ_ABOUT: _("all its evidence is read about"),
}
KINDS: Mapping[str, Words] = {
    StatementKind.EVIDENCE: _("Evidence"),
    StatementKind.REASON: _("Reason"),
    StatementKind.NOTE: _("Note"),
}
CAUSES: Mapping[str, Words] = {
    MarkingCause.RANDOM: _("drawn at random"),
    MarkingCause.DISAGREEMENT: _("because the panel disagrees"),
}
DECISIONS: Mapping[str, Words] = {
    Decision.OFFER: _("Make an offer"),
    Decision.NO_OFFER: _("No offer"),
    Decision.MORE: _("Another interview first"),
}
PHASES: Mapping[str, Words] = {
    DebriefPhase.GATHERING: _("Gathering"),
    DebriefPhase.READING: _("Reading in silence"),
    DebriefPhase.VOTING: _("Second vote"),
    DebriefPhase.DISCUSSING: _("Discussion"),
    DebriefPhase.DECIDED: _("Decided"),
}
JUDGES: Mapping[str, Words] = {JudgeKind.MODEL: _("a model"), JudgeKind.TEST_SUITE: _("a test suite")}
