"""Sessions in the database, found by a query that is composed once: every request begins with it."""

from __future__ import annotations

from datetime import datetime

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from people.compiled import Compiled

_session = Compiled(lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), str, datetime)


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Session | None:
        found = _session(self.session_key, timezone.now()) if self.session_key else []
        if not found:
            self._session_key = None
            return None
        return found[0]
