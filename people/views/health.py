"""GET /healthz: is every part alive? Answered from the heartbeat rows, so it takes no part down by asking."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from people.services.health import check_parts


@login_not_required
@never_cache
@require_GET
def show(request: HttpRequest) -> JsonResponse:
    parts = check_parts()
    broken = [name for name, state in parts.items() if state != "ok"]
    body = {"status": "unavailable" if broken else "ok", "parts": parts}
    return JsonResponse(body, status=503 if broken else 200)
