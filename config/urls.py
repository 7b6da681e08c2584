"""Every address of the site. Each app lists its own; the access matrix test walks them all."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("people.urls")),
    path("bank/", include("questionbank.urls")),
    path("", include("interviews.urls")),
    path("", include("scoring.urls")),
    path("accounts/", include("people.entrance")),
]
