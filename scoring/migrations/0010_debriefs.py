"""The debrief: seats, two votes, notes, decisions. What is said there is only ever added to."""

from __future__ import annotations

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import scoring.enums

APPEND_ONLY = (
    "scoring_debriefvote",
    "scoring_debriefnote",
    "scoring_debriefdecision",
    "scoring_debriefcommand",
)


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0002_append_only"),
        ("interviews", "0015_decision_and_debrief"),
        ("scoring", "0009_panel_calibration"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Debrief",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("gathering", "GATHERING"),
                            ("reading", "READING"),
                            ("voting", "VOTING"),
                            ("discussing", "DISCUSSING"),
                            ("decided", "DECIDED"),
                        ],
                        default=scoring.enums.DebriefPhase["GATHERING"],
                        max_length=24,
                    ),
                ),
                ("phase_since", models.DateTimeField(default=django.utils.timezone.now)),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(help_text="when the second vote was closed and shown", null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "application",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="interviews.application"
                    ),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "room",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="interviews.room"
                    ),
                ),
            ],
            options={
                "ordering": ["application_id", "id"],
            },
        ),
        migrations.CreateModel(
            name="DebriefSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "debrief",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="scoring.debrief"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="DebriefNote",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("seq", models.PositiveBigIntegerField(help_text="the panel stream's")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "text",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="interviews.text"
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.debriefseat"
                    ),
                ),
            ],
            options={
                "ordering": ["seq"],
            },
        ),
        migrations.CreateModel(
            name="DebriefLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lines", to="scoring.debriefseat"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DebriefDecision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "decision",
                    models.CharField(
                        choices=[("offer", "OFFER"), ("no_offer", "NO_OFFER"), ("another_interview", "MORE")],
                        max_length=24,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "debrief",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.debrief"
                    ),
                ),
                (
                    "rationale",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="interviews.text"
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.debriefseat"
                    ),
                ),
            ],
            options={
                "ordering": ["debrief_id", "number"],
            },
        ),
        migrations.CreateModel(
            name="DebriefCommand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("command", models.UUIDField()),
                ("digest", models.CharField(max_length=64)),
                ("stream", models.CharField(max_length=60)),
                ("seq", models.PositiveBigIntegerField()),
                ("version", models.PositiveIntegerField(null=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.debriefseat"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DebriefVote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.CharField(choices=[("before", "BEFORE"), ("after", "AFTER")], max_length=24)),
                ("version", models.PositiveIntegerField()),
                (
                    "recommendation",
                    models.CharField(
                        choices=[
                            ("strong_no", "STRONG_NO"),
                            ("no", "NO"),
                            ("yes", "YES"),
                            ("strong_yes", "STRONG_YES"),
                            ("no_decision", "NO_DECISION"),
                        ],
                        max_length=24,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "reason",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="interviews.text"
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        help_text="what a first vote copies",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="scoring.revision",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.debriefseat"
                    ),
                ),
            ],
            options={
                "ordering": ["seat_id", "round", "version"],
            },
        ),
        migrations.AddConstraint(
            model_name="debrief",
            constraint=models.CheckConstraint(
                condition=models.Q(("phase__in", ["gathering", "reading", "voting", "discussing", "decided"])),
                name="debrief_phase_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="debrief",
            constraint=models.UniqueConstraint(
                condition=models.Q(("phase", scoring.enums.DebriefPhase["DECIDED"]), _negated=True),
                fields=("application",),
                name="debrief_open_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="debriefseat",
            constraint=models.UniqueConstraint(fields=("debrief", "person"), name="debrief_seat_once"),
        ),
        migrations.AddIndex(
            model_name="debriefline",
            index=models.Index(fields=["seat", "ended_at"], name="debrief_line_open"),
        ),
        migrations.AddConstraint(
            model_name="debriefdecision",
            constraint=models.UniqueConstraint(fields=("debrief", "number"), name="debrief_decision_once"),
        ),
        migrations.AddConstraint(
            model_name="debriefdecision",
            constraint=models.CheckConstraint(
                condition=models.Q(("decision__in", ["offer", "no_offer", "another_interview"])),
                name="debriefdecision_decision_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="debriefcommand",
            constraint=models.UniqueConstraint(fields=("seat", "command"), name="debrief_command_once"),
        ),
        migrations.AddConstraint(
            model_name="debriefvote",
            constraint=models.UniqueConstraint(fields=("seat", "round", "version"), name="debrief_vote_once"),
        ),
        migrations.AddConstraint(
            model_name="debriefvote",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("revision__isnull", False), ("round", scoring.enums.VoteRound["BEFORE"])),
                    models.Q(("revision__isnull", True), ("round", scoring.enums.VoteRound["AFTER"])),
                    _connector="OR",
                ),
                name="debrief_vote_first_from_card",
            ),
        ),
        migrations.AddConstraint(
            model_name="debriefvote",
            constraint=models.CheckConstraint(
                condition=models.Q(("round__in", ["before", "after"])), name="debriefvote_round_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="debriefvote",
            constraint=models.CheckConstraint(
                condition=models.Q(("recommendation__in", ["strong_no", "no", "yes", "strong_yes", "no_decision"])),
                name="debriefvote_recommendation_known",
            ),
        ),
        *(
            migrations.RunSQL(
                f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
                "FOR EACH ROW EXECUTE FUNCTION sounding_append_only();",
                f"DROP TRIGGER append_only ON {table};",
            )
            for table in APPEND_ONLY
        ),
    ]
