"""Rights outside a room: by role, as plain decorators."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse

from people.enums import PersonRole
from people.http import SignedInRequest

P = ParamSpec("P")
View = Callable[Concatenate[SignedInRequest, P], HttpResponse]


def for_roles(*roles: PersonRole) -> Callable[[View[P]], View[P]]:
    """Let in people who hold one of the roles; answer 403 to everyone else who is signed in."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not request.user.has_role(*roles):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return guarded

    return decorate
