"""Applications, seats and rooms lose their reverse names for texts and events. No table changes."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models.deletion import CASCADE, PROTECT


class Migration(migrations.Migration):
    dependencies = [("interviews", "0004_attendance_device")]

    operations = [
        migrations.AlterField(
            "text", "application", models.ForeignKey("interviews.Application", on_delete=CASCADE, related_name="+")
        ),
        migrations.AlterField(
            "text", "author", models.ForeignKey("interviews.Seat", on_delete=PROTECT, null=True, related_name="+")
        ),
        migrations.AlterField(
            "event", "room", models.ForeignKey("interviews.Room", on_delete=PROTECT, related_name="+")
        ),
    ]
