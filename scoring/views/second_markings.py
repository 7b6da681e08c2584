"""Second markings of a position: how many are drawn, and what was, for who is in charge of it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from interviews.views.access import managed_position
from people.answers import posted, status
from people.http import SignedInRequest
from scoring.forms import PercentForm
from scoring.labels import CAUSES
from scoring.models import MarkingTerms
from scoring.queries.second_markings import draw_rows
from scoring.services.second_marking import change_percent


@require_http_methods(["GET", "POST"])
@never_cache
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    position = managed_position(request.user, code)
    terms = MarkingTerms.objects.filter(position=position).first() or MarkingTerms(position=position)
    form = PercentForm(posted(request), initial={"percent": terms.percent})
    if form.is_valid():
        change_percent(position=position, by=request.user, percent=form.cleaned_data["percent"])
        messages.success(request, _("Saved."))
        return redirect("scoring:second-markings", code=code)
    rows = [(row, CAUSES.get(row.draw.cause or "", "")) for row in draw_rows(request.user, position)]
    context = {"position": position, "form": form, "rows": rows}
    return render(request, "scoring/second_markings.html", context, status=status(form))
