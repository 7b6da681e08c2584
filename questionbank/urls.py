"""Addresses of this app. Without a number, a tree is shown in the version that the reader works with."""

from __future__ import annotations

from django.urls import path

from questionbank.views import bank, exporting, uploads

app_name = "questionbank"

urlpatterns = [
    path("", bank.bank_list, name="bank-list"),
    path("trees/<slug:key>/", bank.bank_tree, name="bank-tree"),
    path("trees/<slug:key>/v<int:number>/", bank.bank_tree, name="bank-tree"),
    path("trees/<slug:key>/probes/<slug:probe>/", bank.bank_probe, name="bank-probe"),
    path("trees/<slug:key>/v<int:number>/probes/<slug:probe>/", bank.bank_probe, name="bank-probe"),
    path("imports/", uploads.show_list, name="upload-list"),
    path("imports/<uuid:code>/", uploads.show, name="upload"),
    path("imports/<uuid:code>/progress/", uploads.show_progress, name="upload-progress"),
    path("imports/<uuid:code>/all/<slug:part>/", uploads.show_all, name="upload-all"),
    path("imports/<uuid:code>/columns/", uploads.set_columns, name="upload-columns"),
    path("imports/<uuid:code>/confirm/", uploads.confirm, name="upload-confirm"),
    path("imports/<uuid:code>/cancel/", uploads.cancel, name="upload-cancel"),
    path("trees/<slug:key>/file/", exporting.give_tree, name="tree-file"),
    path("trees/<slug:key>/v<int:number>/file/", exporting.give_tree, name="tree-file"),
    path("export/", exporting.give_bank, name="bank-file"),
    path("export/probes/", exporting.give_table, name="bank-table"),
]
