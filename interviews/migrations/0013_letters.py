"""Letters to candidates are a kind of text."""

from __future__ import annotations

from django.db import migrations, models

KINDS = [
    "note",
    "evidence",
    "reason",
    "override",
    "summary",
    "recommendation",
    "amendment",
    "ad_hoc",
    "shared",
    "claim",
    "opening",
    "excuse",
    "change",
    "preparation",
    "chat",
    "letter",
]


class Migration(migrations.Migration):
    dependencies = [("interviews", "0012_reveals_on_the_timeline")]

    operations = [
        migrations.RemoveConstraint("text", "text_kind_known"),
        migrations.AlterField(
            "text", "kind", models.CharField(choices=[(kind, kind.upper()) for kind in KINDS], max_length=24)
        ),
        migrations.AddConstraint(
            "text", models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="text_kind_known")
        ),
    ]
