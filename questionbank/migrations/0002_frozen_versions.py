"""What a published version says never changes: held by triggers, not by pages (docs/decisions/0018)."""

from __future__ import annotations

from django.db import migrations

FREEZE = """
CREATE FUNCTION questionbank_is_frozen(p_version bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT 1 FROM questionbank_versionstatus s
        WHERE s.version_id = p_version AND s.state IN ('published', 'retired')
    )
$$;

CREATE FUNCTION questionbank_refuse_frozen(p_what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% belongs to a published version, which never changes: make a new version', p_what
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION questionbank_freeze_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF questionbank_is_frozen(OLD.id) THEN PERFORM questionbank_refuse_frozen('The tree'); END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE FUNCTION questionbank_freeze_probe() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (TG_OP <> 'INSERT' AND questionbank_is_frozen(OLD.version_id))
        OR (TG_OP <> 'DELETE' AND questionbank_is_frozen(NEW.version_id)) THEN
        PERFORM questionbank_refuse_frozen('The probe');
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE FUNCTION questionbank_freeze_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM questionbank_probe p
        WHERE p.id IN (CASE WHEN TG_OP <> 'INSERT' THEN OLD.probe_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.probe_id END)
          AND questionbank_is_frozen(p.version_id)
    ) THEN
        PERFORM questionbank_refuse_frozen(TG_ARGV[0]);
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE FUNCTION questionbank_keep_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state IN ('published', 'retired')
        AND (TG_OP = 'DELETE' OR NEW.version_id <> OLD.version_id OR NEW.state NOT IN ('published', 'retired')) THEN
        RAISE EXCEPTION 'A published version is retired, never taken back' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE TRIGGER frozen BEFORE UPDATE OR DELETE ON questionbank_treeversion
    FOR EACH ROW EXECUTE FUNCTION questionbank_freeze_version();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE OR DELETE ON questionbank_probe
    FOR EACH ROW EXECUTE FUNCTION questionbank_freeze_probe();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE OR DELETE ON questionbank_signal
    FOR EACH ROW EXECUTE FUNCTION questionbank_freeze_part('The signal');
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE OR DELETE ON questionbank_anchor
    FOR EACH ROW EXECUTE FUNCTION questionbank_freeze_part('The anchor');
CREATE TRIGGER frozen BEFORE UPDATE OR DELETE ON questionbank_versionstatus
    FOR EACH ROW EXECUTE FUNCTION questionbank_keep_published();
"""

THAW = """
DROP TRIGGER frozen ON questionbank_versionstatus;
DROP TRIGGER frozen ON questionbank_anchor;
DROP TRIGGER frozen ON questionbank_signal;
DROP TRIGGER frozen ON questionbank_probe;
DROP TRIGGER frozen ON questionbank_treeversion;
DROP FUNCTION questionbank_keep_published();
DROP FUNCTION questionbank_freeze_part();
DROP FUNCTION questionbank_freeze_probe();
DROP FUNCTION questionbank_freeze_version();
DROP FUNCTION questionbank_refuse_frozen(text);
DROP FUNCTION questionbank_is_frozen(bigint);
"""


class Migration(migrations.Migration):
    dependencies = [("questionbank", "0001_initial")]
    operations = [migrations.RunSQL(FREEZE, THAW)]
