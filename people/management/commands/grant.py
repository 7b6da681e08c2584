"""`manage.py grant`: after every migrate, give the application's database role its rights."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from people import grants


class Command(BaseCommand):
    help = "Give the application's database role its rights (run after migrate)."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        role = grants.application_role()
        if role == grants.owner_role():
            self.stdout.write("DATABASE_OWNER_URL and DATABASE_URL name the same role: nothing to grant.")
            return
        try:
            grants.apply(connection, role)
        except grants.UnknownTable as error:
            raise CommandError(f"{error}") from None
        self.stdout.write(f"{role} may read and write; {len(grants.append_only_tables())} tables only gain rows.")
