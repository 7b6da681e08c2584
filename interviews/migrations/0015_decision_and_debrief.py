"""What was decided, on the application; the debrief's kind of text, and its votes in the ledger."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("interviews", "0014_amending"),
        ("questionbank", "0014_published_unreviewed"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="text",
            name="text_kind_known",
        ),
        migrations.AddField(
            model_name="application",
            name="decided_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="application",
            name="decision",
            field=models.CharField(
                choices=[("offer", "OFFER"), ("no_offer", "NO_OFFER"), ("another_interview", "MORE")],
                max_length=24,
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="reveal",
            name="what",
            field=models.CharField(help_text="card, panel, timeline, votes or chat", max_length=24),
        ),
        migrations.AlterField(
            model_name="text",
            name="kind",
            field=models.CharField(
                choices=[
                    ("note", "NOTE"),
                    ("evidence", "EVIDENCE"),
                    ("reason", "REASON"),
                    ("override", "OVERRIDE"),
                    ("summary", "SUMMARY"),
                    ("recommendation", "RECOMMENDATION"),
                    ("amendment", "AMENDMENT"),
                    ("ad_hoc", "AD_HOC"),
                    ("shared", "SHARED"),
                    ("claim", "CLAIM"),
                    ("opening", "OPENING"),
                    ("excuse", "EXCUSE"),
                    ("change", "CHANGE"),
                    ("preparation", "PREPARATION"),
                    ("chat", "CHAT"),
                    ("letter", "LETTER"),
                    ("debrief", "DEBRIEF"),
                ],
                max_length=24,
            ),
        ),
        migrations.AddConstraint(
            model_name="application",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("decision__in", ["offer", "no_offer", "another_interview"]),
                    ("decision__isnull", True),
                    _connector="OR",
                ),
                name="application_decision_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="text",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
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
                            "debrief",
                        ],
                    )
                ),
                name="text_kind_known",
            ),
        ),
    ]
