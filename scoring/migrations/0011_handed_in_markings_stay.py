"""A marking without names that is handed in never changes, nor do its marks."""

from __future__ import annotations

from django.db import migrations

GUARD = """
CREATE FUNCTION scoring_refuse_handed_in() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wanted bigint := CASE TG_OP WHEN 'DELETE' THEN OLD.marking_id ELSE NEW.marking_id END;
BEGIN
  PERFORM 1 FROM scoring_blindmarking WHERE id = wanted AND submitted_at IS NOT NULL;
  IF NOT FOUND OR (
    current_setting('sounding.eraser', true) = 'on'
    AND pg_has_role(current_user, (SELECT c.relowner FROM pg_class c WHERE c.oid = TG_RELID), 'MEMBER')
  ) THEN
    RETURN COALESCE(NEW, OLD);
  END IF;
  RAISE EXCEPTION 'a marking that is handed in never changes' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER handed_in BEFORE INSERT OR UPDATE OR DELETE ON scoring_blindmark
FOR EACH ROW EXECUTE FUNCTION scoring_refuse_handed_in();
"""


class Migration(migrations.Migration):
    dependencies = [("scoring", "0010_debriefs")]
    operations = [
        migrations.RunSQL(
            GUARD,
            "DROP TRIGGER handed_in ON scoring_blindmark; DROP FUNCTION scoring_refuse_handed_in();",
        )
    ]
