"""A tree of which nothing passed or missed has no floor; 0 is below the root, and needs a miss."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_append_only")]
    operations = [
        migrations.AlterField(
            model_name="revisionboundary",
            name="floor",
            field=models.PositiveSmallIntegerField(
                help_text="NULL: nothing passed or missed, so nothing known", null=True
            ),
        )
    ]
