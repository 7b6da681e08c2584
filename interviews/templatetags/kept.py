"""Parts of frames that are drawn again and again of the same things: kept by what goes into them.

A question that is asked repaints the plan and itself; all but one of the plan's rows are what they were, and what a
question of the bank says was drawn in the last room that asked it.
"""

from __future__ import annotations

import pickle
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

KEPT = 1024
_kept: dict[tuple[str, str | None, bytes], SafeString] = {}


@register.simple_tag
def kept(partial: str, **given: Any) -> SafeString:
    """`{% include partial with … only %}` of plain data, drawn once for the same data in the same language.

    Nothing else may go into the partial: no request, no time of day, no zone of the reader.
    """
    # Pickled, a text that is safe as it stands is another than one that must be escaped.
    key = (partial, get_language(), pickle.dumps(given))
    found = _kept.get(key)
    if found is None:
        if len(_kept) >= KEPT:
            _kept.clear()
        found = _kept[key] = render_to_string(partial, given)
    return found
