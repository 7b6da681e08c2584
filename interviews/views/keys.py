"""Which letter presses what in the live room: a person's own choice."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from interviews.forms.keys import KeysForm
from people.answers import attempt, posted, status
from people.http import SignedInRequest
from people.services.people import change_keys


@require_http_methods(["GET", "POST"])
def show_keys(request: SignedInRequest) -> HttpResponse:
    person = request.user
    if request.method == "POST" and "defaults" in request.POST:
        change_keys(person=person, off=False, letters={})
        messages.success(request, _("All keys are as they were at first."))
        return redirect("interviews:keys")
    form = KeysForm(person, posted(request))
    if attempt(form, lambda: change_keys(person=person, off=form.cleaned_data["off"], letters=form.letters())):
        messages.success(request, _("Saved. A room that is open takes the new keys when it is loaded again."))
        return redirect("interviews:keys")
    return render(request, "interviews/keys.html", {"form": form}, status=status(form))
