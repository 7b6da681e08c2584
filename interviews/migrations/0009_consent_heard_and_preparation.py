"""Who heard the candidate accept what is recorded, where no link was used; and what one writes for oneself beforehand."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

KINDS = (
    "note evidence reason override summary recommendation amendment ad_hoc shared claim opening excuse change "
    "preparation"
).split()

class Migration(migrations.Migration):
    dependencies = [("interviews", "0008_own_questions")]

    operations = [
        migrations.AddField(
            "consent",
            "heard_by",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="interviews.seat"
            ),
        ),
        migrations.RemoveConstraint("text", "text_kind_known"),
        migrations.AlterField(
            "text", "kind", models.CharField(choices=[(kind, kind.upper()) for kind in KINDS], max_length=24)
        ),
        migrations.AddConstraint(
            "text", models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="text_kind_known")
        ),
        migrations.CreateModel(
            "PreparationNote",
            [
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("written_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="interviews.seat"
                    ),
                ),
                (
                    "text",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="interviews.text"
                    ),
                ),
            ],
        ),
    ]
