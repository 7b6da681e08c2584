"""The probes of a position that count for nothing any more, for who is in charge of it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from interviews.models import Position
from interviews.views.access import managed_position
from people.answers import attempt, posted, status
from people.http import SignedInRequest
from people.models import Person
from scoring.forms import VoidForm
from scoring.queries.voids import known_probes, voided_probes
from scoring.services.voids import void_probe


@require_http_methods(["GET", "POST"])
@never_cache
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    """List what is voided, and void another probe. `?probe=tree/key` chooses one beforehand."""
    position = managed_position(request.user, code)
    known = known_probes(position)
    voided = voided_probes(position, known)
    done = {void.probe.name for void in voided}
    open_ones = [probe for probe in known if probe.name not in done]
    form = VoidForm(posted(request), probes=open_ones, initial={"probe": request.GET.get("probe", "")})
    if attempt(form, lambda: _void(position, request.user, form)):
        messages.success(request, _("Voided. The panel scorecards concerned are put together again."))
        return redirect("scoring:voids", code=code)
    context = {"position": position, "form": form, "voided": voided, "known": open_ones}
    return render(request, "scoring/voids.html", context, status=status(form))


def _void(position: Position, by: Person, form: VoidForm) -> object:
    probe = form.cleaned_data["probe"]
    reason = form.cleaned_data["reason"]
    return void_probe(position=position, tree=probe.tree, probe=probe.key, by=by, reason=reason)
