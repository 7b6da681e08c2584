from django.db import migrations, models

KINDS = ["sent", "taken_back", "returned", "published", "published_unreviewed", "retired"]


def tell_apart(apps, schema_editor):
    """Only whom a version was sent to publishes it; what somebody else published, or nobody, came by an import."""
    steps = apps.get_model("questionbank", "ReviewStep").objects
    sent = steps.filter(kind="sent", version=models.OuterRef("version"), reviewer=models.OuterRef("by"))
    steps.filter(~models.Exists(sent), kind="published").update(kind="published_unreviewed")


def tell_no_more(apps, schema_editor):
    steps = apps.get_model("questionbank", "ReviewStep").objects
    steps.filter(kind="published_unreviewed").update(kind="published")


class Migration(migrations.Migration):
    # Rows are changed and the table altered: PostgreSQL wants the checks of those rows done in between.
    dependencies = [
        ("questionbank", "0013_letter_first_keys"),
    ]

    operations = [
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.RemoveConstraint(model_name="reviewstep", name="reviewstep_kind_known"),
        migrations.AlterField(
            model_name="reviewstep",
            name="kind",
            field=models.CharField(
                choices=[
                    ("sent", "SENT"),
                    ("taken_back", "TAKEN_BACK"),
                    ("returned", "RETURNED"),
                    ("published", "PUBLISHED"),
                    ("published_unreviewed", "PUBLISHED_UNREVIEWED"),
                    ("retired", "RETIRED"),
                ],
                max_length=24,
            ),
        ),
        migrations.RunPython(tell_apart, tell_no_more),
        migrations.AddConstraint(
            model_name="reviewstep",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", KINDS)), name="reviewstep_kind_known"
            ),
        ),
    ]
