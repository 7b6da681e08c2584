"""The ledger names the timeline too: in words only, no column changes."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("interviews", "0011_attendance_browser")]

    operations = [
        migrations.AlterField(
            "reveal",
            "what",
            models.CharField(max_length=24, help_text="card, panel, timeline or chat"),
        ),
    ]
