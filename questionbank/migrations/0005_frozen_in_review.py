"""What a reviewer reads doesn't change under their eyes, and no edit slips in beside publishing.

The guards used to look at the version's state; now they lock it while they look. An edit that has begun holds the lock
until it is committed, so whoever sends the version for review or publishes it waits for the edit, and an edit that comes
later waits for them and is then refused.
"""

from __future__ import annotations

from django.db import migrations

OURS = "SET search_path = pg_catalog, public, pg_temp"

FREEZE = f"""
CREATE OR REPLACE FUNCTION questionbank_is_frozen(p_version bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE {OURS} AS $$
DECLARE
    found_state text;
BEGIN
    SELECT s.state INTO found_state FROM questionbank_versionstatus s WHERE s.version_id = p_version FOR SHARE;
    RETURN coalesce(found_state IN ('in_review', 'published', 'retired'), false);
END $$;

CREATE OR REPLACE FUNCTION questionbank_refuse_frozen(p_what text) RETURNS void LANGUAGE plpgsql {OURS} AS $$
BEGIN
    RAISE EXCEPTION '% belongs to a version in review or a published version, which never changes: make a new version', p_what
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE FUNCTION questionbank_keep_published() RETURNS trigger LANGUAGE plpgsql {OURS} AS $$
BEGIN
    IF OLD.state IN ('published', 'retired')
        AND (TG_OP = 'DELETE' OR NEW.version_id <> OLD.version_id OR NEW.state NOT IN ('published', 'retired')) THEN
        RAISE EXCEPTION 'A published version is retired, never taken back' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state = 'in_review' AND (TG_OP = 'DELETE' OR NEW.version_id <> OLD.version_id OR NEW.state = 'retired') THEN
        RAISE EXCEPTION 'A version in review is published or goes back to being a draft' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;
"""

BEFORE = f"""
CREATE OR REPLACE FUNCTION questionbank_is_frozen(p_version bigint) RETURNS boolean LANGUAGE sql STABLE {OURS} AS $$
    SELECT EXISTS (
        SELECT 1 FROM questionbank_versionstatus s
        WHERE s.version_id = p_version AND s.state IN ('published', 'retired')
    )
$$;

CREATE OR REPLACE FUNCTION questionbank_refuse_frozen(p_what text) RETURNS void LANGUAGE plpgsql {OURS} AS $$
BEGIN
    RAISE EXCEPTION '% belongs to a published version, which never changes: make a new version', p_what
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE FUNCTION questionbank_keep_published() RETURNS trigger LANGUAGE plpgsql {OURS} AS $$
BEGIN
    IF OLD.state IN ('published', 'retired')
        AND (TG_OP = 'DELETE' OR NEW.version_id <> OLD.version_id OR NEW.state NOT IN ('published', 'retired')) THEN
        RAISE EXCEPTION 'A published version is retired, never taken back' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("questionbank", "0004_review")]
    operations = [migrations.RunSQL(FREEZE, BEFORE)]
