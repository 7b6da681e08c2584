"""What a test process need not do again and again. Nothing here changes what a test sees."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils.safestring import SafeString
from whitenoise.middleware import WhiteNoiseMiddleware


def pytest_collection_finish() -> None:
    """What was imported and collected stays: it needs no looking through, each time that a page made some rubbish."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def static_files_found_once() -> Iterator[None]:
    """Each `django.test.Client` loads the middleware for itself, and WhiteNoise then looks at every static file."""
    find = WhiteNoiseMiddleware.add_files_from_finders
    found: dict[tuple[str, tuple[Path, ...]], dict[str, Any]] = {}

    def find_once(middleware: Any) -> None:
        place = settings.STATIC_URL, tuple(settings.STATICFILES_DIRS)
        if place not in found:
            find(middleware)
            found[place] = dict(middleware.files)
        middleware.files.update(found[place])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", find_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def pages_drawn_unwatched(django_test_environment: None) -> Iterator[None]:
    """Django copies what each template was given for `response.context`, which tests of pages' words don't read."""

    def draw(template: Template, context: Context) -> SafeString:
        return template.nodelist.render(context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", draw)
        yield
