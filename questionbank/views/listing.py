"""The bank's first page: its trees by topic or, once something is looked for, the probes that were found."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from people.http import SignedInRequest
from questionbank import queries
from questionbank.enums import Aim, VersionState
from questionbank.forms.find import FindForm
from questionbank.models import Plan
from questionbank.outline import Text
from questionbank.queries.find import PER_PAGE, find
from questionbank.rules import may_write
from questionbank.views.desk import desk
from questionbank.views.finding import found_rows
from questionbank.wording import AIMS, STATES, language_name

WORDS = "q"


@require_safe
def bank_list(request: SignedInRequest) -> HttpResponse:
    """Show the list or what was found; a search as it is typed gets only the part below the form."""
    form = FindForm(request.GET, person=request.user)
    context: dict[str, object] = {"form": form, "writer": may_write(request.user.roles)}
    if not form.is_valid():
        context["refused"] = True
    elif form.search.asks:
        context |= _found(request, form)
    else:
        context |= _listed(request)
    typed = request.htmx and not request.htmx.history_restore_request
    if not typed:
        context["desk"] = desk(request.user)
    template = "questionbank/found.html" if typed else "questionbank/list.html"
    response = render(request, template, context, status=200 if form.is_valid() else 422)
    patch_vary_headers(response, ["HX-Request"])  # the whole page and its part have one address
    if typed and form.is_valid():
        response[_header(request, form)] = _address(form)
    return response


def _found(request: SignedInRequest, form: FindForm) -> dict[str, object]:
    found = find(request.user, form.search, form.number)
    return {
        "found": found,
        "rows": found_rows(found, form.search.terms),
        "first": (found.page - 1) * PER_PAGE + 1,
        "before": _address(form, found.page - 1) if found.page > 1 else "",
        "after": _address(form, found.page + 1) if found.page < found.pages else "",
    }


def _address(form: FindForm, page: int = 1) -> str:
    asked = form.asked | ({"page": str(page)} if page > 1 else {})
    return reverse("questionbank:bank-list") + (f"?{urlencode(asked)}" if asked else "")


def _header(request: SignedInRequest, form: FindForm) -> str:
    """Say whether the browser's way back gets a new step: one for each search and each filter, none for each letter."""
    before = _asked_at(request.htmx.current_url or "")
    after = {name: [value] for name, value in form.asked.items()}
    still_typing = WORDS in before and WORDS in after
    same = {name: value for name, value in before.items() if name not in {WORDS, "page"}} == {
        name: value for name, value in after.items() if name != WORDS
    }
    return "HX-Replace-Url" if still_typing and same else "HX-Push-Url"


def _asked_at(address: str) -> dict[str, list[str]]:
    """Return the query of an address that a browser claims to be at; nothing of one that is no address."""
    try:
        return parse_qs(urlsplit(address).query)
    except ValueError:
        return {}


# --- the trees by topic


def _listed(request: SignedInRequest) -> dict[str, object]:
    summaries = queries.summaries(queries.bank_for(request.user))
    topics = [
        (topic, [_row(one) for one in group]) for topic, group in groupby(summaries, lambda one: one.version.tree.topic)
    ]
    titles = {one.version.tree_id: one.version.title for one in summaries}
    plans = [_plan(plan, titles) for plan in queries.plans()]
    return {"topics": topics, "plans": plans, "n_trees": len(summaries)}


def _plan(plan: Plan, titles: Mapping[int, Text]) -> dict[str, object]:
    return {
        "plan": plan,
        "aims": [AIMS[aim] for aim in Aim if aim.value in plan.required_aims],
        "trees": [
            # A tree that has nothing to show to this reader yet is named by its key.
            {"entry": entry, "title": titles.get(entry.tree_id, {"en": entry.tree.key})}
            for entry in plan.entries.all()
        ],
    }


def _row(one: queries.TreeSummary) -> dict[str, object]:
    return {
        "summary": one,
        "aims": [(AIMS[aim], count) for aim, count in one.aims.items()],
        "languages": [(tag, language_name(tag)) for tag in one.languages],
        "state": STATES[VersionState(one.version.status.state)],
    }
