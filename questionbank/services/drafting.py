"""Topics, trees and drafts: made, locked while they are changed, and thrown away.

Whoever changes what a draft says calls `lock_draft` first, in the same transaction: whoever sends it for review or
publishes it takes the same lock, so nobody publishes half an edit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError
from django.utils.text import slugify
from django.utils.translation import gettext as _

from people import audit
from people.models import Person
from people.refusal import Refused
from questionbank import queries
from questionbank.edits.fields import clean
from questionbank.enums import Aim, ProbeKind, VersionState
from questionbank.limits import KEY_LENGTH, TITLE
from questionbank.models import Plan, PlanTree, Topic, Tree, TreeVersion, VersionStatus
from questionbank.outline import OutlineProbe, OutlineTopic, OutlineTree, Text
from questionbank.rules import OPEN_STATES, UNPUBLISHED
from questionbank.services.draft_history import last_edit
from questionbank.services.writing import write_version
from questionbank.wording import STATES

ROOT_KEY = "root"
Made = TypeVar("Made", Topic, Tree, Plan)


class OpenVersion(Refused):
    """The tree has a version already that isn't published yet; holds it."""

    def __init__(self, message: str, version: TreeVersion) -> None:
        super().__init__(message)
        self.version = version


class NotADraft(Refused):
    """The version left the drafting table, or is gone."""


class Changed(Refused):
    """The version says something else by now than the page showed."""


# --- locks


def lock_status(version: TreeVersion) -> VersionStatus:
    """Lock where a version stands until the transaction ends. Raises NotADraft when it was discarded meanwhile."""
    status = VersionStatus.objects.select_for_update(no_key=True).filter(version=version).first()
    if status is None:
        raise NotADraft(_("This version was discarded meanwhile."))
    return status


def lock_tree(version: TreeVersion) -> Tree:
    """Lock the tree of a version, so that its other versions stand still too. Always before `lock_status`.

    Raises NotADraft when it was discarded meanwhile, with its only version.
    """
    tree = Tree.objects.select_for_update(no_key=True).filter(pk=version.tree_id).first()
    if tree is None:
        raise NotADraft(_("This version was discarded meanwhile."))
    return tree


def lock_draft(version: TreeVersion) -> VersionStatus:
    """Lock a draft in order to change what it says. Raises NotADraft when it is in review or published by now."""
    status = lock_status(version)
    if status.state != VersionState.DRAFT:
        words = {"n": version.number, "state": STATES[VersionState(status.state)]}
        raise NotADraft(_("Version %(n)d is now: %(state)s. Only a draft can be changed.") % words)
    return status


def check_seen(version: TreeVersion, seen: str) -> None:
    """Refuse what was decided on a page that shows another text. Call it with the version locked.

    `seen` is the content hash that the page carried. Raises Changed, with who changed the version where that is kept.
    """
    if TreeVersion.objects.filter(pk=version.pk, content_hash=seen).exists():
        return
    edit = last_edit(version)
    if edit is None:
        raise Changed(_("Version %(n)d was changed since you opened it. Read it again first.") % {"n": version.number})
    values = {"n": version.number, "name": edit.by.name}
    raise Changed(_("%(name)s changed version %(n)d since you opened it. Read it again first.") % values)


# --- topics and trees


def new_topic(title: Text, by: Person) -> Topic:
    """Make a topic at the end of the bank; its key comes from its title. Raises Refused for a title without words."""
    said = _said(title, field="topic")
    with transaction.atomic():
        place = (Topic.objects.aggregate(last=Max("position"))["last"] or 0) + 1
        topic = with_free_key(said, "topic", lambda key: Topic.objects.create(key=key, title=said, position=place))
        audit.record(by, "topic.created", topic)
    return topic


def new_tree(topic: Topic, title: Text, by: Person) -> TreeVersion:
    """Make a tree at the end of its topic, with a draft that has a first probe: a check that asks the title.

    Raises Refused for a title without words.
    """
    said = _said(title, field="title")
    with transaction.atomic():
        place = (Tree.objects.filter(topic=topic).aggregate(last=Max("position"))["last"] or 0) + 1
        start = {"topic": topic, "position": place, "owner": by}
        tree = with_free_key(said, "tree", lambda key: Tree.objects.create(key=key, **start))
        version = write_version(_seed(tree, said), 1, by=by)
        audit.record(by, "tree.created", version, number=1)
    return version


def _said(title: Text, *, field: str) -> dict[str, str]:
    cleaned = {tag: " ".join(clean(words).split()) for tag, words in title.items()}
    said = {tag: words for tag, words in cleaned.items() if words}
    if not said:
        raise Refused(_("Give the title in at least one language."), field=field)
    if any(len(words) > TITLE for words in said.values()):
        raise Refused(_("That is too long: at most %(limit)d characters.") % {"limit": TITLE}, field=field)
    return said


def _seed(tree: Tree, title: Text) -> OutlineTree:
    root = OutlineProbe(ROOT_KEY, title=title, prompt=title, kind=ProbeKind.CHECK, aims=(Aim.DEPTH,), minutes=3)
    topic = OutlineTopic(tree.topic.key, tree.topic.title)
    return OutlineTree(tree.key, title, topic, languages=tuple(title), probes=(root,))


def with_free_key(title: Text, otherwise: str, make: Callable[[str], Made], *, reserved: Collection[str] = ()) -> Made:
    """Make it under the key that its English title gives, with a number behind it where that is taken or `reserved`.

    Keys begin with a letter: where the title doesn't, `otherwise` stands before it.
    """
    words: list[str] = re.findall(r"[a-z0-9]+", slugify(title.get("en", "")))
    named = words if words and words[0][0].isalpha() else [otherwise, *words]
    stem = "-".join(named)[: KEY_LENGTH - 5].strip("-")
    for number in range(1, 1000):
        key = stem if number == 1 else f"{stem}-{number}"
        if key in reserved:
            continue
        try:
            with transaction.atomic():
                return make(key)
        except IntegrityError:
            continue
    raise Refused(_("There are too many with this title."), field="title")


# --- drafts


def open_version(tree: Tree) -> TreeVersion | None:
    """Return the version of a tree that is a draft or in review, the newest where files made several, or None."""
    return tree.versions.filter(status__state__in=UNPUBLISHED).select_related("status").order_by("-number").first()


@transaction.atomic
def new_draft(tree: Tree, by: Person) -> TreeVersion:
    """Copy the newest published version, or of a retired tree the newest retired one, as a draft with the next number.

    Raises OpenVersion while another version is a draft or in review, Refused for a tree that was never published.
    """
    tree = Tree.objects.select_for_update(no_key=True).get(pk=tree.pk)
    if other := open_version(tree):
        words = {"n": other.number, "state": STATES[VersionState(other.status.state)]}
        raise OpenVersion(_("Version %(n)d is open (%(state)s): go on with that one.") % words, other)
    base = _base(tree)
    number = (tree.versions.aggregate(last=Max("number"))["last"] or 0) + 1
    version = write_version(queries.whole(base).outline, number, source=base.source_text, by=by)
    audit.record(by, "tree.drafted", version, number=number, copied=base.number)
    return version


def _base(tree: Tree) -> TreeVersion:
    published = tree.versions.filter(status__state__in=[state.value for state in OPEN_STATES])
    newest = published.select_related("tree__topic", "status").order_by("-number")
    base = newest.filter(status__state=VersionState.PUBLISHED).first() or newest.first()
    if base is None:
        raise Refused(_("This tree has no published version to copy."))
    return base


@transaction.atomic
def discard_draft(version: TreeVersion, by: Person, *, seen: str | None = None) -> bool:
    """Throw a draft away, and its tree with its only version; return whether that went.

    `seen` is the content hash of what the page showed, None where no page stands between: what somebody wrote since
    goes nowhere unseen. Raises NotADraft, Changed, Refused.
    """
    tree = lock_tree(version)
    lock_draft(version)
    if seen is not None:
        check_seen(version, seen)
    alone = not tree.versions.exclude(pk=version.pk).exists()
    if alone and (entry := PlanTree.objects.filter(tree=tree).select_related("plan").first()):
        raise Refused(_("The plan %(name)s holds this tree. Take it out there first.") % {"name": entry.plan.name})
    audit.record(by, "tree.discarded", version, number=version.number)
    try:
        version.delete()
        if alone:
            tree.delete()
    except ProtectedError:
        raise Refused(_("Something refers to this draft, so it can't be discarded.")) from None
    return alone
