"""Addresses of this app. Without a number, a tree is shown in the version that the reader works with."""

from __future__ import annotations

from django.urls import path

from questionbank.views import bank, editor, editor_saving, health, plans, review, suggestions, versions, walking

app_name = "questionbank"

urlpatterns = [
    path("", bank.bank_list, name="bank-list"),
    path("new/", versions.begin_tree, name="tree-create"),
    path("trees/<slug:key>/", bank.bank_tree, name="bank-tree"),
    path("trees/<slug:key>/v<int:number>/", bank.bank_tree, name="bank-tree"),
    path("trees/<slug:key>/probes/<slug:probe>/", bank.bank_probe, name="bank-probe"),
    path("trees/<slug:key>/v<int:number>/probes/<slug:probe>/", bank.bank_probe, name="bank-probe"),
    path("trees/<slug:key>/draft/", versions.begin_draft, name="draft-begin"),
    path("trees/<slug:key>/v<int:number>/discard/", versions.discard, name="draft-discard"),
    path("trees/<slug:key>/v<int:number>/send/", versions.send, name="review-send"),
    path("trees/<slug:key>/v<int:number>/take-back/", versions.withdraw, name="review-take-back"),
    path("trees/<slug:key>/v<int:number>/review/", review.show, name="tree-review"),
    path("trees/<slug:key>/v<int:number>/comments/", review.comment, name="review-comment"),
    path("trees/<slug:key>/v<int:number>/return/", review.give_back, name="review-return"),
    path("trees/<slug:key>/v<int:number>/publish/", review.accept, name="tree-publish"),
    path("trees/<slug:key>/v<int:number>/retire/", versions.retire_version, name="tree-retire"),
    path("trees/<slug:key>/history/", versions.show_history, name="tree-history"),
    path("trees/<slug:key>/compare/", versions.choose_comparison, name="compare-choose"),
    path("trees/<slug:key>/compare/<int:old>/<int:new>/", versions.show_comparison, name="tree-compare"),
    path("comments/<uuid:code>/", review.settle, name="comment-settle"),
    path("plans/", plans.show_list, name="plan-list"),
    path("plans/new/", plans.create, name="plan-create"),
    path("plans/<slug:key>/", plans.show, name="plan"),
    path("plans/<slug:key>/edit/", plans.edit, name="plan-edit"),
    path("plans/<slug:key>/delete/", plans.delete, name="plan-delete"),
    path("rules/", versions.show_rules, name="bank-rules"),
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
    path("trees/<slug:key>/health/", health.tree_health, name="tree-health"),
    path("trees/<slug:key>/probes/<slug:probe>/promote/", health.promote_probe, name="probe-promote"),
    path("health/", health.bank_health, name="bank-health"),
    path("suggestions/", suggestions.show_list, name="suggestion-list"),
    path("suggestions/<uuid:code>/", suggestions.decide, name="suggestion"),
    path("suggestions/<uuid:code>/decline/", suggestions.turn_down, name="suggestion-decline"),
]
