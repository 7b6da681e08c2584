"""What the closed lists of an interview are called where a form offers them. Pages use the filters of `words`."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from interviews.enums import Role, SealingPolicy, Shape

SEALING: dict[SealingPolicy, str | Promise] = {
    SealingPolicy.AFTER_OWN: _("After their own card. Figures over the panel wait for all cards."),
    SealingPolicy.AFTER_ALL: _("After all cards."),
}
SHAPES: dict[Shape, str | Promise] = {
    Shape.PANEL: _("Panel: several interviewers in one room"),
    Shape.LOOP: _("Next of a loop: one interviewer alone with the candidate"),
}
SEATS: dict[Role, str | Promise] = {
    Role.INTERVIEWER: _("Interviewer: marks, and owes a card"),
    Role.SHADOW: _("Shadow: marks to learn, never counted"),
    Role.OBSERVER: _("Observer: listens only"),
}
MISSING: dict[Role, str | Promise] = {
    Role.CANDIDATE: _("The candidate"),
    Role.LEAD: _("The lead"),
    Role.INTERVIEWER: _("An interviewer"),
}
