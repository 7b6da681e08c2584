"""Addresses of home, sign-in helpers, people and health."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.urls import path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from people.views import health, home, metrics, people, preferences

app_name = "people"

urlpatterns = [
    path("", home.show, name="home"),
    path("healthz", health.show, name="health"),
    path("metrics", metrics.show, name="metrics"),
    path("language/", login_not_required(require_POST(set_language)), name="language"),
    path("people/", people.show_list, name="person-list"),
    path("people/new/", people.create, name="person-create"),
    path("people/<uuid:code>/", people.edit, name="person-edit"),
    path("people/<uuid:code>/link/", people.make_link, name="person-link"),
    path("preferences/", preferences.show, name="preferences"),
    path("theme/", preferences.set_theme, name="theme"),
]
