"""The guards look only at our own tables, whatever the caller's search path says.

A function without a search path of its own runs with its caller's, in which temporary tables come first: by making one
with the name of a table that a guard asks, the application's role could have answered for it.
"""

from __future__ import annotations

from django.db import migrations

FUNCTIONS = (
    "questionbank_is_frozen(bigint)",
    "questionbank_refuse_frozen(text)",
    "questionbank_freeze_version()",
    "questionbank_freeze_probe()",
    "questionbank_freeze_part()",
    "questionbank_keep_published()",
)


class Migration(migrations.Migration):
    dependencies = [("questionbank", "0002_frozen_versions")]
    operations = [
        migrations.RunSQL(
            f"ALTER FUNCTION {name} SET search_path = pg_catalog, public, pg_temp",
            f"ALTER FUNCTION {name} RESET search_path",
        )
        for name in FUNCTIONS
    ]
