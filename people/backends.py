"""Signing in by e-mail as allauth has it, and who a session is of by a query that is composed once."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend

from people.compiled import Compiled
from people.models import Person

_person = Compiled(lambda pk: Person.objects.filter(pk=pk), int)


class PersonBackend(AuthenticationBackend):  # type: ignore[misc]
    def get_user(self, user_id: int) -> Person | None:
        found = _person(user_id)
        return found[0] if found and self.user_can_authenticate(found[0]) else None
