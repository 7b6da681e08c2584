#!/usr/bin/env python
"""Django's command line, with the servers of this VAR found or started first."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.servers import servers_for_command

    with servers_for_command(sys.argv):
        from django.core.management import execute_from_command_line
        from django.db import ProgrammingError
        from psycopg.errors import UndefinedTable

        import config.celery  # noqa: F401 - commands ask for jobs too, and they go to our broker

        try:
            execute_from_command_line(sys.argv)
        except ProgrammingError as error:
            if not isinstance(error.__cause__, UndefinedTable):
                raise
            sys.exit(
                "A table is missing in the database. Run `manage.py migrate`, then `manage.py grant`, and try again."
            )


if __name__ == "__main__":
    main()
