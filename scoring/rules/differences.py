"""Where two JSON values differ, place by place, in words that name both."""

from __future__ import annotations

import json
from collections.abc import Iterator


def differences(kept: object, now: object, place: str = "", *, most: int = 20) -> list[str]:
    """Name the first places where `kept` and `now` differ: "dimensions.depth.value: kept 4.0, now 2.4".

    With more than `most`, the last line says that there are more.
    """
    found: list[str] = []
    for line in _differences(kept, now, place):
        if len(found) == most:
            return [*found, "and more"]
        found.append(line)
    return found


def _differences(kept: object, now: object, place: str) -> Iterator[str]:
    if isinstance(kept, dict) and isinstance(now, dict):
        for name in [*kept, *(name for name in now if name not in kept)]:
            inside = f"{place}.{name}" if place else str(name)
            if name not in now:
                yield f"{inside}: kept {_short(kept[name])}, now gone"
            elif name not in kept:
                yield f"{inside}: not kept, now {_short(now[name])}"
            else:
                yield from _differences(kept[name], now[name], inside)
    elif isinstance(kept, list) and isinstance(now, list):
        for number, (one, other) in enumerate(zip(kept, now, strict=False)):
            yield from _differences(one, other, f"{place}[{number}]")
        if len(kept) != len(now):
            yield f"{place}: kept {len(kept)} entries, now {len(now)}"
    elif type(kept) is not type(now) or kept != now:
        yield f"{place}: kept {_short(kept)}, now {_short(now)}"


def _short(value: object) -> str:
    if isinstance(value, (dict, list)):
        return f"{len(value)} entries"
    return json.dumps(value, ensure_ascii=False)
