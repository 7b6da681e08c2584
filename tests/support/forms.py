"""Pages of set-up as a browser sees them: their addresses, what their form would send, what it says about a field."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup, Tag
from django.urls import reverse


def url(name: str, *args: object) -> str:
    return reverse(f"interviews:{name}", args=args)


def form_of(page: Any) -> dict[str, Any]:
    """Return what a browser would send if one pressed the button of the page's own form at once."""
    sent: dict[str, Any] = {}
    main = BeautifulSoup(page.content, "html.parser").main
    assert main is not None
    form = main.find("form", class_="form")
    assert isinstance(form, Tag)
    for field in form.select("input[name], textarea[name], select[name]"):
        name, kind = str(field["name"]), field.get("type", "")
        if field.name == "textarea":
            sent[name] = field.text.removeprefix("\n")  # as browsers do
        elif field.name == "select":
            chosen = field.select_one("option[selected]") or field.select_one("option")
            sent[name] = chosen["value"] if chosen else ""
        elif kind in {"checkbox", "radio"}:
            if field.has_attr("checked"):
                sent.setdefault(name, []).append(field.get("value", "on"))
        elif kind != "file":
            sent[name] = field.get("value", "")
    del sent["csrfmiddlewaretoken"]
    return sent


def error_of(page: Any, field: str) -> str:
    found = BeautifulSoup(page.content, "html.parser").select_one(f"#id_{field}_error")
    return found.get_text(" ", strip=True) if found else ""
