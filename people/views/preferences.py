"""Choices of a person (language, zone, colours) and of a browser (theme; the language has Django's own view)."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from people.answers import attempt, posted, status
from people.context import THEME_COOKIE
from people.enums import Theme
from people.forms import PreferencesForm
from people.http import SignedInRequest
from people.services.people import change_preferences

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


@require_http_methods(["GET", "POST"])
def show(request: SignedInRequest) -> HttpResponse:
    person = request.user
    start = {"language": person.language, "time_zone": person.time_zone, "theme": person.theme}
    form = PreferencesForm(posted(request), initial=start)
    if attempt(form, lambda: change_preferences(person=person, **form.cleaned_data)):
        with translation.override(person.language):
            messages.success(request, _("Saved."))
        response = redirect("people:preferences")
        # What this browser chose before would hide what was just chosen for every browser.
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
        return response
    return render(request, "people/preferences.html", {"form": form}, status=status(form))
