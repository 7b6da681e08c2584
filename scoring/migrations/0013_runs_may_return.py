from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """Ratings may return to an earlier set; the run in use is the newest all the same."""

    dependencies = [
        ("scoring", "0012_automatic_judges"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="calibrationrun", name="calibration_run_once"),
    ]
