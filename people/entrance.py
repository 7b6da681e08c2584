"""Addresses of signing in and out, and of one's password.

Not all of allauth's: with its own list anybody could add e-mail addresses to their account and sign in by another one,
on pages that are not ours. Accounts are the administrators' affair.
"""

from __future__ import annotations

from allauth.account import views
from django.urls import path, re_path
from django.views.decorators.http import require_http_methods, require_safe

# allauth's class-based views would take PUT as POST, and some any method at all.
form = require_http_methods(["GET", "HEAD", "POST"])

urlpatterns = [
    path("login/", form(views.login), name="account_login"),
    path("logout/", form(views.logout), name="account_logout"),
    path("inactive/", require_safe(views.account_inactive), name="account_inactive"),
    # Closed, and says so (people.accounts); the sign-in page names its address.
    path("signup/", form(views.signup), name="account_signup"),
    path("password/change/", form(views.password_change), name="account_change_password"),
    path("password/reset/", form(views.password_reset), name="account_reset_password"),
    path("password/reset/done/", require_safe(views.password_reset_done), name="account_reset_password_done"),
    path(
        "password/reset/key/done/",
        require_safe(views.password_reset_from_key_done),
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        form(views.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
]
