"""Tables of this app that are only ever added to; the application's database role may not change or delete rows."""

from __future__ import annotations

APPEND_ONLY = (
    "scoring_revision",
    "scoring_revisionmark",
    "scoring_revisionboundary",
    "scoring_revisionstatement",
    "scoring_panelscorecard",
    "scoring_debriefvote",
    "scoring_debriefnote",
    "scoring_debriefdecision",
    "scoring_debriefcommand",
    "scoring_calibrationrun",
    "scoring_markingdraw",
    "scoring_judgebatch",
    "scoring_judgerating",
)
