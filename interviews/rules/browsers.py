"""A short name for the browser that a line came from, so that its owner knows which of their devices is meant."""

from __future__ import annotations

# In this order: most browsers also claim to be those below them.
_PROGRAMS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser_name(agent: str) -> str:
    """Return what a User-Agent header tells, as "Firefox, Android"; "" for one that tells neither."""
    found = (next((name for sign, name in signs if sign in agent), "") for signs in (_PROGRAMS, _SYSTEMS))
    return ", ".join(name for name in found if name)
