"""How fast a socket may speak: 50 frames a second, 200 at once."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

RATE = 50.0
BURST = 200.0
PATIENCE = 400  # refused frames in a row before the line is cut: a page that hears "later" waits


@dataclass(slots=True)
class Bucket:
    tokens: float = BURST
    at: float = field(default_factory=time.monotonic)
    refused: int = 0

    def take(self) -> float:
        """Take a token; return 0, or how many seconds to wait for one."""
        now = time.monotonic()
        self.tokens = min(BURST, self.tokens + (now - self.at) * RATE)
        self.at = now
        if self.tokens >= 1:
            self.tokens -= 1
            self.refused = 0
            return 0.0
        self.refused += 1
        return (1 - self.tokens) / RATE

    @property
    def worn_out(self) -> bool:
        return self.refused > PATIENCE
