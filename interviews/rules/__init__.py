"""The rules of an interview, pure: what a boundary is, what is allowed when and to whom, how long a tree took."""

from __future__ import annotations

from interviews.rules.boundary import (
    CUT_SHORT,
    OBSERVED,
    Ask,
    Boundary,
    Credit,
    Ending,
    LevelCredit,
    ModelRow,
    Next,
    NextWhy,
    OutOfOrder,
    Override,
    Problem,
    State,
    TreeRule,
    boundary,
    credit_of,
    is_firm_miss,
)
from interviews.rules.conduct import (
    COMMANDS,
    ENDS_ITSELF_AFTER,
    JUDGEMENTS,
    LEAD_AWAY_AFTER,
    PLANNING,
    Command,
    Refusal,
    Stream,
    may_take_lead,
    refusal,
    status_after,
)
from interviews.rules.endings import EndingEffect, Refused, ending_effect, is_sound_override
from interviews.rules.minutes import AskedAt, Pause, tree_times
