"""Keep the translations whole: extract every string, merge it into the catalogues, compile them; or only check.

Extraction is Babel's, so that no gettext tools need to be installed; Django turns a template into something that
Babel's Python extractor reads.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation.template import templatize

APPS = ("config", "people", "questionbank", "interviews", "scoring")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")


class Command(BaseCommand):
    help = "Extract the strings of the interface into the catalogues and compile them; --check only says what lacks."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail when a translation lacks")

    def handle(self, *, check: bool, **options: Any) -> None:
        template = extracted()
        problems: list[str] = []
        for folder in sorted(Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES")):
            po, mo = folder / "django.po", folder / "django.mo"
            catalog = merged(po, template, locale=folder.parent.name)
            problems += faults(catalog, po)
            if check:
                if not mo.is_file() or mo.read_bytes() != compiled(catalog):
                    problems.append(f"{mo}: older than its catalogue")
                continue
            with po.open("wb") as file:
                write_po(file, catalog, width=120, sort_output=True, include_lineno=False, omit_header=False)
            mo.write_bytes(compiled(catalog))
        if check and problems:
            raise CommandError("\n".join([*problems, "Mend: manage.py translations, translate what is empty, again."]))
        self.stdout.write("\n".join(problems) or "every string is translated")


def extracted() -> Catalog:
    """Return a catalogue of all strings in our Python files and templates, with the files they stand in."""
    catalog = Catalog(project="Sounding", charset="utf-8", fuzzy=False)
    for path, lineno, message, comments, context in strings():
        catalog.add(message, None, [(path, lineno)], auto_comments=comments, context=context)
    return catalog


def strings() -> Iterator[tuple[str, int, Any, list[str], str | None]]:
    root = settings.BASE_DIR
    for app in APPS:
        for path in sorted((root / app).rglob("*.py")):
            yield from _of(path, path.read_bytes())
    for path in sorted((root / "templates").rglob("*.html")):
        source = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        # What was indentation in HTML is none in Python.
        yield from _of(path, "\n".join(line.lstrip() for line in source.splitlines()).encode())


def _of(path: Path, source: bytes) -> Iterator[tuple[str, int, Any, list[str], str | None]]:
    name = str(path.relative_to(settings.BASE_DIR))
    options = {"encoding": "utf-8"}
    found = extract("python", BytesIO(source), keywords=KEYWORDS, comment_tags=("Translators:",), options=options)
    for lineno, message, comments, context in found:
        yield name, lineno, message, comments, context


def merged(po: Path, template: Catalog, *, locale: str) -> Catalog:
    """Return the catalogue of a language with the strings there are now: its translations kept, the rest empty."""
    with po.open("rb") as file:
        catalog = read_po(file, locale=locale, charset="utf-8")
    catalog.update(template, no_fuzzy_matching=True, update_header_comment=False, update_creation_date=False)
    catalog.obsolete.clear()
    return catalog


def faults(catalog: Catalog, po: Path) -> list[str]:
    """Say what is missing or would break: no translation, fuzzy, or placeholders that differ."""
    found = []
    for message in catalog:
        if not message.id:
            continue
        words = list(message.string) if isinstance(message.string, tuple | list) else [message.string or ""]
        source = message.id if isinstance(message.id, str) else message.id[-1]
        if message.fuzzy or not all(words):
            found.append(
                f"{po}: not translated: {source!r} ({', '.join(sorted({name for name, _ in message.locations}))})"
            )
        elif any(set(PLACEHOLDER.findall(text)) != set(PLACEHOLDER.findall(source)) for text in words):
            found.append(f"{po}: other placeholders than the original: {source!r}")
    return found


def compiled(catalog: Catalog) -> bytes:
    buffer = BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()
