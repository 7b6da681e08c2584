"""Static files go out compressed. Pages don't."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = ("text/", "image/svg", "application/json")


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
        return super().process_response(request, response)
