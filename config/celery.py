"""The Celery application: at least once, never silently lost.

Late acknowledgement with rejection on a lost worker, one message in hand, and a short visibility timeout, because with
the defaults a killed worker loses the jobs it holds. That a job *must* happen is not left to the broker at all: see
people.jobs.
"""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("sounding")
app.config_from_object("config.celery_settings")
app.autodiscover_tasks()
