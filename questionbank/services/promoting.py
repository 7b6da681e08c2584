"""Ending the trial of a probe: a draft in which it is scored."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from people.models import Person
from people.refusal import Refused
from questionbank.health_reads import health_of
from questionbank.models import TreeVersion
from questionbank.services import editing
from questionbank.services.drafting import new_draft, open_version
from questionbank.services.edit_refusals import Conflict


@transaction.atomic
def promote(key: str, probe: str, *, by: Person) -> TreeVersion:
    """Score a probe that is on trial, in the tree's draft, beginning one where there is none; return the draft.

    Raises Tree.DoesNotExist; Refused while its data are not enough or aren't about the draft's wording; NotADraft while
    the open version is in review.
    """
    found = health_of(key)
    if all(one.node.key != probe for one in found.health.promotable):
        raise Refused(_("This probe isn't on trial, or there are not enough data yet."))
    if found.draft and probe in found.draft.reworded:
        raise Refused(_("The draft words it anew, and there are no figures of that wording yet."))
    version = open_version(found.tree) or new_draft(found.tree, by)
    try:
        editing.change_field(version, by=by, key=probe, name="scored", was="", value="1")
    except Conflict:
        raise Refused(_("The draft doesn't have this probe any more.")) from None
    return version
