"""What every test stands on: real servers first, then Django, then the fixtures of tests/support."""

from __future__ import annotations

import os
from importlib import import_module

import django
import hypothesis
from django.conf import settings

from tests.support import servers

# Set before anything imports numpy: the matrices are small, and its threads would only fight over the processors.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

if settings.configured:
    raise RuntimeError("Django's settings were read before the test servers ran: unset DJANGO_SETTINGS_MODULE.")
servers.start()
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()
import_module("config.celery")  # or jobs would be sent to Celery's default broker
settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns where nothing was collected
# Not left to xdist's processes: they would read the settings before this file runs, and each has a queue of its own.
del os.environ["DJANGO_SETTINGS_MODULE"]

pytest_plugins = [
    "tests.cast",
    "tests.support.collecting",
    "tests.support.database",
    "tests.support.printing",
    "tests.support.sparing",
    "tests.support.web",
    "tests.support.worker",
]

# On a busy machine an example may take long; that is no finding. In CI the examples are the same each time, so that a
# landing is judged by its change; elsewhere each run looks at new ones.
hypothesis.settings.register_profile(
    "sounding",
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
hypothesis.settings.load_profile("sounding")
