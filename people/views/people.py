"""Accounts, for administrators."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from people.access import for_roles
from people.answers import attempt, posted, status
from people.enums import PersonRole
from people.forms import PersonChangeForm, PersonForm
from people.http import SignedInRequest
from people.labels import ROLES
from people.models import Person
from people.refusal import Refused
from people.services.people import change_person, create_person, make_password_link

administrators = for_roles(PersonRole.ADMINISTRATOR)


@require_GET
@administrators
def show_list(request: SignedInRequest) -> HttpResponse:
    wanted = request.GET.get("q", "").replace("\x00", "").strip()
    people = Person.objects.filter(Q(name__icontains=wanted) | Q(email__icontains=wanted)).order_by(
        "-is_active", "name", "pk"
    )
    rows = [(person, [ROLES[PersonRole(role)] for role in person.roles]) for person in people]
    return render(request, "people/person_list.html", {"rows": rows, "wanted": wanted})


@require_http_methods(["GET", "POST"])
@administrators
@never_cache
def create(request: SignedInRequest) -> HttpResponse:
    start = {"language": request.user.language, "time_zone": request.user.time_zone}
    form = PersonForm(posted(request), initial=start)
    if person := attempt(form, lambda: create_person(by=request.user, **form.cleaned_data)):
        return _show_link(request, person)
    return render(request, "people/person_form.html", {"form": form, "person": None}, status=status(form))


@require_http_methods(["GET", "POST"])
@administrators
def edit(request: SignedInRequest, code: UUID) -> HttpResponse:
    person = get_object_or_404(Person, code=code)
    start = {name: getattr(person, name) for name in PersonChangeForm.base_fields}
    form = PersonChangeForm(posted(request), initial=start)
    if attempt(form, lambda: change_person(person=person, by=request.user, **form.cleaned_data)):
        messages.success(request, _("Saved: %(name)s") % {"name": person.name})
        return redirect("people:person-list")
    return render(request, "people/person_form.html", {"form": form, "person": person}, status=status(form))


@require_POST
@administrators
@never_cache
def make_link(request: SignedInRequest, code: UUID) -> HttpResponse:
    person = get_object_or_404(Person, code=code)
    try:
        return _show_link(request, person)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("people:person-edit", code=code)


def _show_link(request: SignedInRequest, person: Person) -> HttpResponse:
    """Answer with the link itself: it is kept nowhere, so this is the one time it is seen."""
    link = request.build_absolute_uri(make_password_link(person=person, by=request.user))
    return render(request, "people/person_link.html", {"person": person, "link": link})
