"""The request as views know it after the middleware has run."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from people.models import Person


class SignedInRequest(HttpRequest):
    """A request of a signed-in person; `htmx` by django-htmx."""

    user: Person
    htmx: HtmxDetails
