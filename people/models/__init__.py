from __future__ import annotations

from people.models.audit import AuditEntry
from people.models.job import Heartbeat, Job
from people.models.person import Person

__all__ = ["AuditEntry", "Heartbeat", "Job", "Person"]
