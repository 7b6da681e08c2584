"""Only the owner of the tables can be the eraser.

Any role may set sounding.eraser for itself, and the application's role may write texts: by saying the word it could have
changed what was submitted. The role counts now, too. Erasing keeps the salt: without it the digest proves nothing.
"""

from __future__ import annotations

from django.db import migrations

GUARD = """
CREATE OR REPLACE FUNCTION interviews_frozen_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT OLD.frozen OR (
        current_setting('sounding.eraser', true) = 'on'
        AND pg_has_role(current_user, (SELECT c.relowner FROM pg_class c WHERE c.oid = TG_RELID), 'MEMBER')
    ) THEN
        RETURN COALESCE(NEW, OLD);
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.body IS NULL AND NEW.erased_at IS NOT NULL
        AND NEW.frozen AND NEW.digest = OLD.digest AND NEW.salt = OLD.salt AND NEW.kind = OLD.kind
        AND NEW.application_id = OLD.application_id AND NEW.author_id IS NOT DISTINCT FROM OLD.author_id THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'A submitted text never changes; it can only be erased' USING ERRCODE = 'restrict_violation';
END $$;
"""

BEFORE = """
CREATE OR REPLACE FUNCTION interviews_frozen_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT OLD.frozen OR current_setting('sounding.eraser', true) = 'on' THEN
        RETURN COALESCE(NEW, OLD);
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.body IS NULL AND NEW.erased_at IS NOT NULL
        AND NEW.frozen AND NEW.digest = OLD.digest AND NEW.kind = OLD.kind
        AND NEW.application_id = OLD.application_id AND NEW.author_id IS NOT DISTINCT FROM OLD.author_id THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'A submitted text never changes; it can only be erased' USING ERRCODE = 'restrict_violation';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("interviews", "0002_log")]
    operations = [migrations.RunSQL(GUARD, BEFORE)]
