"""The bank as files to take along: a tree, all trees, all probes as a table. Each reader gets what they may read."""

from __future__ import annotations

import io
import zipfile

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from people.answers import attachment
from people.http import SignedInRequest
from questionbank import queries
from questionbank.services.exporting import text_of
from questionbank.services.probe_table import probe_table
from questionbank.views.access import read_whole


@require_safe
@never_cache
def give_tree(request: SignedInRequest, key: str, number: int | None = None) -> HttpResponse:
    whole = read_whole(request.user, key, number)
    return attachment(text_of(whole).encode(), "application/yaml; charset=utf-8", f"{key}.yaml")


@require_safe
@never_cache
def give_bank(request: SignedInRequest) -> HttpResponse:
    """Give one file for each tree, in an archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for whole in queries.whole_trees(queries.bank_for(request.user)):
            # Of no date, so that the same bank gives the same bytes.
            entry = zipfile.ZipInfo(f"{whole.outline.key}.yaml")
            archive.writestr(entry, text_of(whole), zipfile.ZIP_DEFLATED)
    return attachment(stream.getvalue(), "application/zip", f"bank-{_today()}.zip")


@require_safe
@never_cache
def give_table(request: SignedInRequest) -> HttpResponse:
    table = probe_table(queries.whole_trees(queries.bank_for(request.user)))
    return attachment(table.encode(), "text/csv; charset=utf-8", f"probes-{_today()}.csv")


def _today() -> str:
    return timezone.localdate().isoformat()
