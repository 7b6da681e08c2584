"""How pages of the bank fetch what they show, with the right to it."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _

from people.access import for_roles
from people.enums import PersonRole
from people.models import Person
from questionbank import queries
from questionbank.models import TreeVersion
from questionbank.rules import OPEN_STATES

# Who writes in the bank (questionbank.rules.WRITERS); everyone else is answered 403 before anything is looked up.
curators = for_roles(PersonRole.CURATOR, PersonRole.ADMINISTRATOR)


def read_version(person: Person, key: str, number: int | None = None) -> TreeVersion:
    """Fetch a version as this person may read it: 403 for people without the bank, 404 for what they find none of."""
    try:
        return queries.version_for(person, key, number)
    except TreeVersion.DoesNotExist:
        raise Http404(_("The bank has no such tree.")) from None


def read_whole(person: Person, key: str, number: int | None = None) -> queries.WholeTree:
    return queries.whole(read_version(person, key, number))


def newest_readable(person: Person, key: str) -> TreeVersion:
    """Fetch the version that stands for its tree: what the bank shows, or of a retired tree the newest one."""
    try:
        return queries.version_for(person, key)
    except TreeVersion.DoesNotExist:
        states = [state.value for state in OPEN_STATES]
        versions = TreeVersion.objects.filter(tree__key=key, status__state__in=states)
        retired = versions.select_related("tree__topic", "status").order_by("-number").first()
    if retired is None:
        raise Http404(_("The bank has no such tree."))
    return retired
