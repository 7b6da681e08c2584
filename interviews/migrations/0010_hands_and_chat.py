"""Raised hands on their seats; the panel's chat, its kind of text and its place in the ledger."""

from __future__ import annotations

import django.db.models.deletion
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
]


class Migration(migrations.Migration):
    dependencies = [("interviews", "0009_consent_heard_and_preparation")]

    operations = [
        migrations.AddField("seat", "hand_seq", models.PositiveBigIntegerField(null=True)),
        migrations.AddField("seat", "hand_probe", models.CharField(blank=True, default="", max_length=200)),
        migrations.AlterField("reveal", "what", models.CharField(help_text="card, panel or chat", max_length=24)),
        migrations.AlterField(
            "reveal",
            "rule",
            models.CharField(help_text="after_own, all_in, opened, or seat (chat)", max_length=24),
        ),
        migrations.RemoveConstraint("text", "text_kind_known"),
        migrations.AlterField(
            "text", "kind", models.CharField(choices=[(kind, kind.upper()) for kind in KINDS], max_length=24)
        ),
        migrations.AddConstraint(
            "text", models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="text_kind_known")
        ),
        migrations.CreateModel(
            name="ChatLine",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("seq", models.PositiveBigIntegerField(help_text="the panel stream's")),
                ("made_at", models.DateTimeField()),
                (
                    "interview",
                    models.ForeignKey(
                        "interviews.interview", on_delete=django.db.models.deletion.CASCADE, related_name="+"
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey("interviews.seat", on_delete=django.db.models.deletion.PROTECT, related_name="+"),
                ),
                (
                    "text",
                    models.ForeignKey("interviews.text", on_delete=django.db.models.deletion.PROTECT, related_name="+"),
                ),
            ],
            options={"ordering": ["interview_id", "seq"]},
        ),
        migrations.AddConstraint(
            "chatline", models.UniqueConstraint(fields=["interview", "seq"], name="chat_seq_once")
        ),
    ]
