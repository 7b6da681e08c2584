"""How fast a socket may speak: 50 frames a second, 200 at once."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

RATE = 50.0
BURST = 200.0
PATIENCE = 400  # refused frames, less 50 a second: a page that hears "later" waits, who goes on sending is cut


@dataclass(slots=True)
class Bucket:
    """`refused` are the frames that came too soon and are not forgiven yet: they are, as fast as tokens come."""

    tokens: float = BURST
    at: float = field(default_factory=time.monotonic)
    refused: float = 0.0

    def take(self) -> float:
        """Take a token; return 0, or how many seconds to wait until there is one, and for all refused before, too: a
        millisecond at least, which is what the wire can say."""
        now = time.monotonic()
        grown = (now - self.at) * RATE
        self.at = now
        self.tokens = min(BURST, self.tokens + grown)
        self.refused = max(0.0, self.refused - grown)
        if self.tokens >= 1:
            self.tokens -= 1
            return 0.0
        self.refused += 1
        return max(0.001, (self.refused - self.tokens) / RATE)

    @property
    def worn_out(self) -> bool:
        return self.refused > PATIENCE
