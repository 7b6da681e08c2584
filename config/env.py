"""Typed readers of the process environment. Each fails loudly, naming the variable and the remedy."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit


class BadEnvironment(Exception):
    """A variable is missing or can't be read as what it should be."""


def text(name: str, default: str = "") -> str:
    """Return the variable, or the content of the file that NAME_FILE points at, or the default."""
    if path := os.environ.get(f"{name}_FILE"):
        return Path(path).read_text(encoding="utf-8").strip()
    return os.environ.get(name) or default  # NAME= on a command line means: not set


def boolean(name: str, *, default: bool) -> bool:
    value = text(name).strip().lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise BadEnvironment(f"{name}={value!r} is neither yes nor no: set it to 1 or 0.")


def integer(name: str, *, default: int) -> int:
    value = text(name).strip()
    try:
        return int(value) if value else default
    except ValueError:
        raise BadEnvironment(f"{name}={value!r} is not a whole number.") from None


def words(name: str, *, default: str) -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def database(url: str) -> dict[str, object]:
    """Turn postgresql://user:password@host:port/name?option=value into a Django database setting.

    A host that starts with "/" (a socket folder) is given as ?host=/folder.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise BadEnvironment(f"{url.split(':', 1)[0]}: is no PostgreSQL address; Sounding runs on postgresql:// only.")
    options: dict[str, object] = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", None) or parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        "OPTIONS": options,
    }


def mail(url: str) -> dict[str, object]:
    """Turn smtp://user:password@host:port into Django's settings of an outgoing mail server.

    smtp+tls:// begins plain and turns to TLS (port 587 unless given), smtps:// is TLS from the start (465), smtp://
    stays plain (25). A name or password with ":", "/" or "@" is percent-encoded.
    """
    parts = urlsplit(url)
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    try:
        port = parts.port or ports[parts.scheme]
    except (KeyError, ValueError):
        port = 0
    if not (port and parts.hostname):
        raise BadEnvironment(
            "EMAIL_URL: is no mail server; write smtp+tls://user:password@host:587 (or smtps://, smtp://)."
        )
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": 20,
    }
