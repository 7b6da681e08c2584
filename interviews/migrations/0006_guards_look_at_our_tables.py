"""The guards look only at our own tables, whatever the caller's search path says.

A function without a search path of its own runs with its caller's, in which temporary tables come first: by making one
with the name of a table that a guard asks, the application's role could have answered for it.
"""

from __future__ import annotations

from django.db import migrations

FUNCTIONS = (
    "interviews_frozen_text()",
    "room_append",
)


class Migration(migrations.Migration):
    dependencies = [("interviews", "0005_no_way_back_to_words")]
    operations = [
        migrations.RunSQL(
            f"ALTER FUNCTION {name} SET search_path = pg_catalog, public, pg_temp",
            f"ALTER FUNCTION {name} RESET search_path",
        )
        for name in FUNCTIONS
    ]
