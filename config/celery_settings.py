"""Celery's settings. Reasons are in docs/decisions/0013-celery.md."""

from __future__ import annotations

from celery.schedules import crontab
from django.conf import settings

broker_url = settings.BROKER_URL
result_backend = None
task_ignore_result = True
task_acks_late = True
task_reject_on_worker_lost = True
worker_prefetch_multiplier = 1
worker_hijack_root_logger = False
broker_connection_retry_on_startup = True
broker_transport_options = {
    "visibility_timeout": 120,
    # kombu restores what a dead worker held every interval x throttle; its defaults make that 100 s.
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_keepalive": True,
}
task_time_limit = 100  # below the visibility timeout, or a running task would be started again beside itself
task_soft_time_limit = 90
timezone = "UTC"
beat_schedule = {
    "heartbeat": {"task": "people.heartbeat", "schedule": 10.0},
    "sweep-jobs": {"task": "people.sweep_jobs", "schedule": 5.0},
    "end-quiet-interviews": {"task": "interviews.end_quiet", "schedule": 60.0},
    "release-suggestions": {"task": "questionbank.release_suggestions", "schedule": crontab(hour=3, minute=30)},
    "compare-prompts": {"task": "questionbank.compare_prompts", "schedule": 60.0},
    "sweep-uploads": {"task": "questionbank.sweep_uploads", "schedule": crontab(minute=20)},
    "refresh-panels": {"task": "scoring.refresh_panels", "schedule": 300.0},
    "find-reminders": {"task": "scoring.find_reminders", "schedule": 300.0},
    "write-figures": {"task": "scoring.write_figures", "schedule": crontab(hour=3, minute=0)},
    "calibrate": {"task": "scoring.calibrate", "schedule": crontab(hour=3, minute=10)},
    "draw-markings": {"task": "scoring.draw_markings", "schedule": crontab(hour=3, minute=20)},
}
