"""What browsers keep to work without a line: the service worker, and what of it they should forget by now."""

from __future__ import annotations

from functools import cache
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from interviews.queries.keeping import settled_among
from people.http import SignedInRequest

KEEP_FOR = "X-Sounding-Keep"
"""The header by which a page's answer lets a browser keep a copy, and says for which person."""

ROOM_FILES = (
    "brand.svg",
    "css/base.css",
    "css/forms.css",
    "css/parts.css",
    "css/print.css",
    "css/room.css",
    "css/tokens.css",
    "django_htmx/htmx-2.min.js",
    "js/base.js",
    "js/room.js",
)
ROOM_FOLDERS = ("js/core/", "js/elements/", "js/platform/", "js/room/", "vendor/")
MOST_ASKED = 200


@cache
def room_files() -> list[str]:
    """Return the addresses of everything that the room's page may load."""
    names = {
        path
        for finder in finders.get_finders()
        for path, _storage in finder.list([])
        if path in ROOM_FILES or (path.startswith(ROOM_FOLDERS) and path.endswith(".js"))
    }
    if settings.DEBUG:
        names.add("django_htmx/django-htmx.js")
    return [static(name) for name in sorted(names)]


@login_not_required
@never_cache
@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """The same for everybody: it holds addresses of static files, and nothing of a person."""
    context = {"static": settings.STATIC_URL, "files": room_files(), "fresh": settings.DEBUG}
    return render(request, "interviews/sw.js", context, content_type="text/javascript")


@never_cache
@require_GET
def settled(request: SignedInRequest) -> JsonResponse:
    """Of the interviews named by `code`, {"settled": those that a browser of this person keeps no longer}."""
    codes = [code for code in (_uuid(text) for text in request.GET.getlist("code")[:MOST_ASKED]) if code]
    return JsonResponse({"settled": [str(code) for code in settled_among(request.user, codes)]})


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
