"""Addresses of this app. Without a number, a tree is shown in the version that the reader works with."""

from __future__ import annotations

from django.urls import path

from questionbank.views import bank, editor, editor_saving, walking

app_name = "questionbank"

urlpatterns = [
    path("", bank.bank_list, name="bank-list"),
    path("trees/<slug:key>/", bank.bank_tree, name="bank-tree"),
    path("trees/<slug:key>/v<int:number>/", bank.bank_tree, name="bank-tree"),
    path("trees/<slug:key>/probes/<slug:probe>/", bank.bank_probe, name="bank-probe"),
    path("trees/<slug:key>/v<int:number>/probes/<slug:probe>/", bank.bank_probe, name="bank-probe"),
    path("trees/<slug:key>/v<int:number>/walk/", walking.walk_through, name="tree-walk"),
    path("trees/<slug:key>/edit/", editor.show, name="tree-edit"),
    path("trees/<slug:key>/v<int:number>/edit/", editor.show, name="tree-edit"),
    path("trees/<slug:key>/v<int:number>/edit/probes/<slug:probe>/", editor.show_probe, name="edit-probe"),
    path("trees/<slug:key>/v<int:number>/edit/findings/", editor.show_findings, name="edit-findings"),
    path("trees/<slug:key>/v<int:number>/edit/field/", editor_saving.save_field, name="edit-field"),
    path("trees/<slug:key>/v<int:number>/edit/add/", editor_saving.add, name="edit-add"),
    path("trees/<slug:key>/v<int:number>/edit/move/", editor_saving.move, name="edit-move"),
    path("trees/<slug:key>/v<int:number>/edit/duplicate/", editor_saving.duplicate, name="edit-duplicate"),
    path("trees/<slug:key>/v<int:number>/edit/remove/", editor_saving.remove, name="edit-remove"),
    path("trees/<slug:key>/v<int:number>/edit/back/", editor_saving.step_back, name="edit-back"),
    path("trees/<slug:key>/v<int:number>/edit/language/", editor_saving.begin_language, name="edit-language"),
]
