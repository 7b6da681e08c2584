"""The few lines that views would otherwise repeat."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.datastructures import MultiValueDict

from people.refusal import Refused

T = TypeVar("T")


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what was sent, or None for a form that is only shown (an empty POST is a sent form with mistakes)."""
    return request.POST if request.method == "POST" else None


def sent_files(request: HttpRequest) -> MultiValueDict[str, UploadedFile] | None:
    return request.FILES if request.method == "POST" else None


def attempt(form: forms.BaseForm, do: Callable[[], T]) -> T | None:
    """Do it if the form holds. What the service refuses is written beside the field to blame; the answer is None."""
    if not form.is_valid():
        return None
    try:
        return do()
    except Refused as refused:
        form.add_error(refused.field if refused.field in form.fields else None, refused.message)
        return None


def status(form: forms.BaseForm) -> int:
    """Return 422 for a form that is shown again with its mistakes, else 200."""
    return 422 if form.is_bound and form.errors else 200


def wants_json(request: HttpRequest) -> bool:
    """Whether the client asked for the JSON beside a page, by `?format=json` or by the Accept header.

    A browser's Accept header prefers HTML.
    """
    wanted = request.GET.get("format")
    if wanted:
        return wanted == "json"
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def attachment(content: bytes, media_type: str, name: str) -> HttpResponse:
    """Answer with a file to keep. `name` is of our making: ASCII, without quotes."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(content, content_type=media_type, headers=headers)


def streamed(request: HttpRequest, parts: Iterator[str], media_type: str, name: str) -> StreamingHttpResponse:
    """Answer with a file to keep that is made while it is sent. `name` is of our making: ASCII, without quotes."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    content = _on_the_thread(parts) if isinstance(request, ASGIRequest) else parts
    return StreamingHttpResponse(content, content_type=media_type, headers=headers)


async def _on_the_thread(parts: Iterator[str]) -> AsyncIterator[str]:
    """Make each part on the request's own thread, where its database connection is: Django would make all at once."""
    make = sync_to_async(lambda: next(parts, None))
    while (part := await make()) is not None:
        yield part


def in_language(request: HttpRequest, template: str, context: dict[str, Any], status: int) -> HttpResponse:
    """Draw a page in the language that is active now, whatever the request came in, and say so in its header."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    request.LANGUAGE_CODE = language
    response = render(request, template, context, status=status)
    response["Content-Language"] = language
    return response
