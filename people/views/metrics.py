"""GET /metrics: numbers for Prometheus. Off by default; then for a token's bearer, or for this machine alone."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST

from people.metrics import exposition

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via")


@login_not_required
@never_cache
@require_GET
def show(request: HttpRequest) -> HttpResponse:
    if not settings.METRICS:
        raise Http404
    if settings.METRICS_TOKEN:
        if not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}"):
            return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    elif not _is_from_here(request):
        raise Http404
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def _is_from_here(request: HttpRequest) -> bool:
    """Whether it comes from this machine and from no proxy on it, through which everybody's requests come."""
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return address.is_loopback and not any(name in request.headers for name in FORWARDED)
