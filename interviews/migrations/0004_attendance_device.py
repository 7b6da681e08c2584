"""Which browser a line came from: each keeps its own unsent marks."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("interviews", "0003_eraser_is_the_owner")]

    operations = [
        migrations.AddField("attendance", "device", models.CharField(blank=True, max_length=64)),
    ]
