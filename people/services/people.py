"""Accounts: made, changed and closed by administrators; preferences by their owners."""

from __future__ import annotations

from collections.abc import Sequence

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from people import audit, lifecycle
from people.enums import PersonRole, Theme
from people.models import Person
from people.refusal import Refused


class AddressTaken(Refused):
    """Another account has this e-mail address."""


class LastAdministrator(Refused):
    """Nobody could administer any more."""


def create_person(
    *, by: Person, email: str, name: str, roles: Sequence[PersonRole], language: str, time_zone: str
) -> Person:
    """Make an account that nobody can sign in to before its password is set by link. Raises AddressTaken."""
    person = Person(email=email.lower(), name=name, roles=sorted(roles), language=language, time_zone=time_zone)
    person.set_unusable_password()
    person.clean_fields()
    try:
        with transaction.atomic():
            person.save()
            audit.record(by, "person.created", person, roles=",".join(person.roles))
    except IntegrityError:
        raise _taken(email) from None
    return person


def change_person(
    *,
    person: Person,
    by: Person,
    email: str,
    name: str,
    roles: Sequence[PersonRole],
    language: str,
    time_zone: str,
    is_active: bool,
) -> Person:
    """Change an account. Whoever loses a right loses it at once, in open rooms too.

    Raises AddressTaken, LastAdministrator.
    """
    try:
        with transaction.atomic():
            _keep_an_administrator(person, roles=roles, is_active=is_active)
            before = (person.is_active, list(person.roles))
            if before != (is_active, sorted(roles)):
                for note in lifecycle.before_rights_change:
                    note(Person.objects.get(pk=person.pk))
            person.email, person.name, person.roles = email.lower(), name, sorted(roles)
            person.language, person.time_zone, person.is_active = language, time_zone, is_active
            person.save(update_fields=["email", "name", "roles", "language", "time_zone", "is_active"])
            # The old address must not open the account any more, neither by password nor by "password forgotten".
            EmailAddress.objects.filter(user=person).exclude(email__iexact=email).delete()
            audit.record(by, "person.changed", person, roles=",".join(person.roles), active=is_active)
            if before != (is_active, person.roles):
                transaction.on_commit(lambda: lifecycle.close_rooms_of(person.pk), robust=True)
    except IntegrityError:
        raise _taken(email) from None
    return person


def _taken(email: str) -> AddressTaken:
    other = Person.objects.get(email__iexact=email)
    return AddressTaken(_("%(name)s has an account with this address.") % {"name": other.name}, field="email")


def _keep_an_administrator(person: Person, *, roles: Sequence[PersonRole], is_active: bool) -> None:
    """Lock every administrator, so that two who drop each other at once can't both succeed."""
    keeps = is_active and PersonRole.ADMINISTRATOR in roles
    administrators = Person.objects.select_for_update(no_key=True).filter(
        roles__contains=[PersonRole.ADMINISTRATOR], is_active=True
    )
    others = [administrator for administrator in administrators.order_by("pk") if administrator.pk != person.pk]
    if not keeps and not others and person.is_administrator:
        raise LastAdministrator(
            _("This is the last administrator. Make somebody else one first."),
            field="roles" if is_active else "is_active",
        )


def make_password_link(*, person: Person, by: Person) -> str:
    """Return the path at which the person sets a password: good until it is used, for three days at most.

    It is made for them by an administrator, because not every installation sends mail.
    """
    if not person.is_active:
        raise Refused(_("This account is closed. Open it first."))
    with transaction.atomic():
        audit.record(by, "person.password_link", person)
    return reverse(
        "account_reset_password_from_key",
        kwargs={"uidb36": user_pk_to_url_str(person), "key": default_token_generator.make_token(person)},
    )


def change_keys(*, person: Person, off: bool, letters: dict[str, str]) -> Person:
    """Keep which letters press what in the live room; {} are the defaults (people.keys)."""
    person.keys = {**({"off": True} if off else {}), **({"letters": letters} if letters else {})}
    person.save(update_fields=["keys"])
    return person


def change_preferences(*, person: Person, language: str, time_zone: str, theme: Theme) -> Person:
    person.language, person.time_zone, person.theme = language, time_zone, theme
    person.save(update_fields=["language", "time_zone", "theme"])
    return person
