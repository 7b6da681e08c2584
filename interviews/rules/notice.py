"""Which notice a candidate is shown, and accepts, before anything is recorded."""

from __future__ import annotations

NOTICE = "2026-1"
"""Another wording that means something else gets another name; what was accepted under an older one is not enough."""
