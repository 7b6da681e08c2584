"""Who looks after a tree. For curators."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from people.answers import attempt, posted, status
from people.http import SignedInRequest
from questionbank.forms.owning import OwnerForm
from questionbank.models import Tree
from questionbank.services.owning import set_owner
from questionbank.views.access import curators


@require_http_methods(["GET", "HEAD", "POST"])
@curators
def tree_owner(request: SignedInRequest, key: str) -> HttpResponse:
    tree = get_object_or_404(Tree.objects.select_related("owner", "topic"), key=key)
    form = OwnerForm(posted(request), initial={"owner": tree.owner and tree.owner.code})
    if attempt(form, lambda: _set(tree, form, request)):
        messages.success(request, _("Saved."))
        return redirect("questionbank:bank-tree", key=key)
    return render(request, "questionbank/owner.html", {"form": form, "tree": tree}, status=status(form))


def _set(tree: Tree, form: OwnerForm, request: SignedInRequest) -> bool:
    set_owner(tree, form.cleaned_data["owner"], by=request.user)
    return True
