"""Choices of a browser: the theme. The language has Django's own view."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from people.context import THEME_COOKIE
from people.enums import Theme

YEAR = 365 * 24 * 3600


@login_not_required
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in set(Theme):
        return HttpResponseBadRequest(_("A theme is auto, light or dark."))
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    response.set_cookie(THEME_COOKIE, theme, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True)
    return response
