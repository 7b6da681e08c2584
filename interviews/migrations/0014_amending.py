"""An author who amends a submitted card may mark again until the amendment is in."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("interviews", "0013_letters")]

    operations = [
        migrations.AddField("seat", "card_amending_at", models.DateTimeField(null=True)),
    ]
