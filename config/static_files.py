"""Static files go out lean and compressed. Pages don't."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from django.conf import settings
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = ("text/", "image/svg", "application/json")
# Comments that have their lines to themselves, and what a line is indented by. Our scripts hold no text of several
# lines (tests/static/test_scripts.py), so nothing else can look like one.
_COMMENTS = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*.*?\*/[ \t]*)$", re.MULTILINE | re.DOTALL)
_INDENTS = re.compile(r"^[ \t]+", re.MULTILINE)


def lean(script: str) -> str:
    """Return a script of ours without comments and indents; every line keeps its number."""
    bare = _COMMENTS.sub(lambda found: "\n" * found[0].count("\n"), script)
    return _INDENTS.sub("", bare)


class CompressStatic(GZipMiddleware):
    """Static texts only: a page holds secrets beside what a person typed, and its length would tell (BREACH)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if (
            request.method != "GET"
            or response.status_code != 200
            or not request.path_info.startswith(settings.STATIC_URL)
            or not response.headers.get("Content-Type", "").startswith(TEXTS)
        ):
            return response
        if request.path_info.startswith(f"{settings.STATIC_URL}js/") and isinstance(response, StreamingHttpResponse):
            _make_lean(response)
        return super().process_response(request, response)


def _make_lean(response: StreamingHttpResponse) -> None:
    script = b"".join(cast("Iterable[bytes]", response.streaming_content)).decode()
    body = lean(script).encode()
    response.streaming_content = [body]
    response.headers["Content-Length"] = str(len(body))
