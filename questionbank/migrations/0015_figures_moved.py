from __future__ import annotations

from django.db import migrations, models


def stand(apps, schema_editor):
    """What has a difficulty stands until its own figures move: a day says too little of which came first."""
    apps.get_model("questionbank", "ProbeFigures").objects.exclude(difficulty={}).update(moved=False)


class Migration(migrations.Migration):
    # Rows are changed and the table altered: PostgreSQL wants the checks of those rows done in between.
    dependencies = [
        ("questionbank", "0014_published_unreviewed"),
    ]

    operations = [
        migrations.AddField(
            model_name="probefigures",
            name="moved",
            field=models.BooleanField(default=True, help_text="since the calibration last wrote beside these figures"),
        ),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.RunPython(stand, migrations.RunPython.noop),
    ]
