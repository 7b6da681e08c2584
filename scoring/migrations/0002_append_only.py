"""Submitted revisions and compiled panel cards are never changed."""

from __future__ import annotations

from django.db import migrations

TABLES = (
    "scoring_revision",
    "scoring_revisionmark",
    "scoring_revisionboundary",
    "scoring_revisionstatement",
    "scoring_panelscorecard",
)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial"), ("people", "0002_append_only")]
    operations = [
        migrations.RunSQL(
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION sounding_append_only();",
            f"DROP TRIGGER append_only ON {table};",
        )
        for table in TABLES
    ]
