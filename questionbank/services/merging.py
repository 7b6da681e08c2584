"""Merging: of two probes that ask the same one is kept, and who looks for the other is sent on to it.

Published versions stay as they are, with the merged probe in them; it leaves the draft that comes next.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from people import audit
from people.locks import Lock, queue_on
from people.models import Person
from people.refusal import Refused
from questionbank.enums import VersionState
from questionbank.limits import FINGERPRINT
from questionbank.models import Probe, Redirect, TreeVersion
from questionbank.queries.duplicates import ProbeName, newest_probes
from questionbank.services.drafting import lock_draft, new_draft, open_version
from questionbank.services.editing import take_out


class CannotMerge(Refused):
    """These two can't be merged as things stand; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Merger:
    """What a merge would do. `up`: the follow-ups of the merged probe, that move up to `parent`."""

    kept: Probe
    merged: Probe
    parent: Probe
    up: tuple[Probe, ...]
    draft: TreeVersion | None
    """The draft that loses the probe; None: one is made."""

    @property
    def print(self) -> str:
        """A few digits over all that would leave the draft, and what it hangs together with."""
        gone = self.merged
        says = [
            gone.content_hash,
            gone.title,
            gone.heard,
            gone.on_outcomes,
            gone.minutes,
            gone.scoring,
            gone.same_level,
        ]
        hangs = [self.parent.key, *(probe.key for probe in self.up)]
        return hashlib.sha256(json.dumps([says, hangs], sort_keys=True).encode()).hexdigest()[:FINGERPRINT]


def plan_merge(kept: ProbeName, merged: ProbeName) -> Merger:
    """Return what merging would do, from what the newest versions say. Raises CannotMerge."""
    if kept == merged:
        raise CannotMerge(_("This is one and the same probe."))
    probes = newest_probes([kept, merged])
    one, other = probes.get(kept), probes.get(merged)
    if one is None or other is None:
        raise CannotMerge(_("One of the two isn't in the bank any more."))
    names = {(redirect.tree.key, redirect.key) for redirect in _redirects(kept, merged)}
    if kept in names:
        raise CannotMerge(_("The probe to keep was merged itself."), field="kept")
    if merged in names:
        raise CannotMerge(_("This probe was merged already."))
    if other.parent is None:
        raise CannotMerge(
            _("The probe starts its tree, which would be left without a root. Retire the tree, or ask something else.")
        )
    open_one = open_version(other.version.tree)
    if open_one and open_one.status.state == VersionState.IN_REVIEW:
        raise CannotMerge(
            _("Version %(n)d of its tree is in review, and doesn't change there. Take it back or wait.")
            % {"n": open_one.number}
        )
    up = tuple(other.follow_ups.order_by("position", "pk"))
    return Merger(one, other, other.parent, up, open_one)


def _redirects(*names: ProbeName) -> list[Redirect]:
    found = Redirect.objects.filter(tree__key__in=[name[0] for name in names], key__in=[name[1] for name in names])
    return list(found.select_related("tree"))


@transaction.atomic
def merge(
    kept: ProbeName, merged: ProbeName, *, reason: str, by: Person, shown: str | None = None
) -> tuple[Redirect, TreeVersion]:
    """Keep the one, send on from the other, and take that out of its tree's draft (made if there is none).

    `shown`: the `Merger.print` that was looked at; what somebody wrote since isn't thrown away unseen. None: no look.
    Whoever edits the draft meanwhile learns of it as of any edit, and it can be undone. Return the redirect and the
    draft. Raises CannotMerge, NotADraft.
    """
    queue_on(Lock.MERGE)
    planned = plan_merge(kept, merged)
    if planned.draft:
        lock_draft(planned.draft)
        planned = plan_merge(kept, merged)  # as it is now that nobody can edit it any more
    if shown is not None and shown != planned.print:
        raise CannotMerge(
            _("This is how the probe to merge stands now, which you haven't seen yet. Look at it, then merge again.")
        )
    tree = planned.merged.version.tree
    draft = planned.draft or new_draft(tree, by)
    take_out(draft, by=by, key=merged[1])
    redirect = Redirect.objects.create(
        tree=tree, key=merged[1], to_tree=planned.kept.version.tree, to_key=kept[1], by=by, reason=reason.strip()
    )
    audit.record(by, "probe.merged", redirect, tree=tree.pk, to_tree=redirect.to_tree_id, version=draft.number)
    return redirect, draft


@transaction.atomic
def unmerge(redirect: Redirect, *, by: Person) -> None:
    """Send nobody on any more. The probe stays in published versions as it was; a draft gets it back by hand."""
    audit.record(by, "probe.unmerged", redirect, tree=redirect.tree_id, to_tree=redirect.to_tree_id)
    redirect.delete()


def merges() -> list[Redirect]:
    """Return all redirects, newest first, with their trees and who made them."""
    return list(Redirect.objects.select_related("tree", "to_tree", "by"))
