"""The guard of append-only tables.

The application's database role has no UPDATE and DELETE on them (`manage.py grant`); the trigger also stops the owner,
but for the eraser, which says so with SET LOCAL sounding.eraser = 'on'. A trigger its owner can drop guards nothing,
hence two roles (docs/decisions/0017).
"""

from __future__ import annotations

from django.db import migrations

GUARD = """
CREATE FUNCTION sounding_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('sounding.eraser', true) = 'on' THEN
        RETURN COALESCE(NEW, OLD);
    END IF;
    RAISE EXCEPTION '% is append-only: rows are added, never changed or deleted', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON people_auditentry
    FOR EACH ROW EXECUTE FUNCTION sounding_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("people", "0001_initial")]
    operations = [
        migrations.RunSQL(
            GUARD,
            "DROP TRIGGER append_only ON people_auditentry; DROP FUNCTION sounding_append_only();",
        )
    ]
