"""Faults by real processes under load, and a checker of what came of it. `python -m tests.faults.chaos --help`."""
