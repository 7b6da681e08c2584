"""Who looks after a tree: the person to ask about it. It gives no right."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from people import audit
from people.models import Person
from people.refusal import Refused
from questionbank.models import Tree
from questionbank.rules import WRITERS, may_write


def possible_owners() -> QuerySet[Person]:
    """Return who can look after a tree: curators and administrators whose accounts are open, by name."""
    keepers = Q()
    for role in sorted(WRITERS):
        keepers |= Q(roles__contains=[role])
    return Person.objects.filter(keepers, is_active=True).order_by("name", "pk")


@transaction.atomic
def set_owner(tree: Tree, owner: Person | None, *, by: Person) -> None:
    """Hand a tree to somebody, or to nobody. Raises Refused for who doesn't keep the bank."""
    if owner and not (owner.is_active and may_write(owner.roles)):
        raise Refused(_("%(name)s is neither curator nor administrator.") % {"name": owner.name}, field="owner")
    Tree.objects.filter(pk=tree.pk).update(owner=owner)
    audit.record(by, "tree.owned", tree, owner=owner.pk if owner else None)
