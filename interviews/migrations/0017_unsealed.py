"""Since when a person could read others' judgements of an application: kept, because the seal closes again."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

GUARD = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON interviews_unsealed
    FOR EACH ROW EXECUTE FUNCTION sounding_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("interviews", "0016_marks_at_once"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Unsealed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "application",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="interviews.application",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="unsealed",
            constraint=models.UniqueConstraint(fields=("application", "person"), name="unsealed_once"),
        ),
        migrations.RunSQL(GUARD, "DROP TRIGGER append_only ON interviews_unsealed;"),
    ]
