"""Addresses of this app. Without a number, a tree is shown in the version that the reader works with."""

from __future__ import annotations

from django.urls import path

from questionbank.views import bank, duplicates, listing, owning

app_name = "questionbank"

urlpatterns = [
    path("", listing.bank_list, name="bank-list"),
    path("trees/<slug:key>/", bank.bank_tree, name="bank-tree"),
    path("trees/<slug:key>/v<int:number>/", bank.bank_tree, name="bank-tree"),
    path("trees/<slug:key>/probes/<slug:probe>/", bank.bank_probe, name="bank-probe"),
    path("trees/<slug:key>/v<int:number>/probes/<slug:probe>/", bank.bank_probe, name="bank-probe"),
    path("trees/<slug:key>/owner/", owning.tree_owner, name="tree-owner"),
    path("duplicates/", duplicates.show_pairs, name="duplicates"),
    path("duplicates/<uuid:code>/different/", duplicates.different, name="pair-different"),
    path("merge/", duplicates.merge_probes, name="merge"),
    path("merges/<uuid:code>/undo/", duplicates.undo, name="merge-undo"),
]
