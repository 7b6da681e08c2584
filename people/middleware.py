"""Language, time zone and keys of a request: the person's own, else the cookie, else the browser's."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import is_valid_path
from django.utils import timezone, translation

from people import keys
from people.models import Person

Next = Callable[[HttpRequest], HttpResponseBase]


class LanguageMiddleware:
    """Choose the language by cookie, else by the browser. PersonMiddleware refines it for who is signed in."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with translation.override(translation.get_language_from_request(request)):
            request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language() or settings.LANGUAGE_CODE)
            return response


class PersonMiddleware:
    """Apply the signed-in person's language (unless this browser chose another), time zone and keys."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        person = request.user
        if not isinstance(person, Person):
            return self.get_response(request)
        if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            translation.activate(person.language)
            request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE
        with timezone.override(zoneinfo.ZoneInfo(person.time_zone)), keys.override(person.keys):
            return self.get_response(request)


class SentOnlyMiddleware:
    """Say so, with the way back, where somebody comes to an address that only takes what is sent to it.

    Who reloads a page that refused a form, or changes its language, asks for the address that the form was sent to.
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code != 405 or request.method != "GET" or not request.accepts("text/html"):
            return response
        page = render(request, "405.html", {"back": _page_above(request.path)}, status=405)
        page.headers["Allow"] = response.headers["Allow"]
        return page


def _page_above(path: str) -> str:
    """The nearest address above that is one of ours; the home page at last."""
    while path != "/":
        path = f"{path.rstrip('/').rpartition('/')[0]}/"
        if is_valid_path(path):
            return path
    return path
