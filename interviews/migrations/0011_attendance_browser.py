"""What a line came from, in words: whoever wrote on two devices is told which one was meant."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("interviews", "0010_hands_and_chat")]

    operations = [
        migrations.AddField(
            "attendance",
            "browser",
            models.CharField(blank=True, help_text='a name for it, as "Firefox, Android"', max_length=40),
        ),
    ]
