"""Tables of this app that are only ever added to; the application's database role may not change or delete rows."""

from __future__ import annotations

APPEND_ONLY = (
    "interviews_event",
    "interviews_command",
    "interviews_reveal",
    "interviews_unsealed",
    "interviews_consent",
    "interviews_void",
)
