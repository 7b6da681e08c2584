"""Triggers keep what is searched (questionbank/models/search.py): whoever writes a probe, by whatever way, is found."""

from __future__ import annotations

from django.db import migrations

KEEP = """
CREATE FUNCTION questionbank_describe(p_probes bigint[]) RETURNS void LANGUAGE sql
SET search_path = pg_catalog, public, pg_temp AS $$
    WITH said AS (
        SELECT p.id AS probe_id, p.title, p.prompt, CASE WHEN p.parent_id IS NULL THEN v.title END AS tree_title
        FROM questionbank_probe p JOIN questionbank_treeversion v ON v.id = p.version_id
        WHERE p.id = ANY (p_probes)
    ), tagged AS (
        SELECT probe_id, jsonb_object_keys(title || prompt) AS language FROM said
        UNION
        SELECT s.probe_id, jsonb_object_keys(s.text) FROM questionbank_signal s WHERE s.probe_id = ANY (p_probes)
    ), texts AS (
        SELECT probe_id, language, questionbank_folded(coalesce(prompt ->> language, '')) AS prompt,
            questionbank_folded(concat_ws(E'\\n', tree_title ->> language, title ->> language, prompt ->> language, (
                SELECT string_agg(s.text ->> language, E'\\n' ORDER BY s.kind, s.position, s.id)
                FROM questionbank_signal s WHERE s.probe_id = said.probe_id
            ))) AS words
        FROM said JOIN tagged USING (probe_id)
    ), gone AS (
        DELETE FROM questionbank_probetext t WHERE t.probe_id = ANY (p_probes)
            AND NOT EXISTS (SELECT 1 FROM texts WHERE texts.probe_id = t.probe_id AND texts.language = t.language)
    )
    INSERT INTO questionbank_probetext AS t (probe_id, language, prompt, words)
    SELECT probe_id, language, prompt, words FROM texts ORDER BY probe_id, language
    ON CONFLICT (probe_id, language) DO UPDATE SET prompt = EXCLUDED.prompt, words = EXCLUDED.words,
        compared_at = CASE WHEN t.prompt = EXCLUDED.prompt THEN t.compared_at END
    WHERE t.prompt <> EXCLUDED.prompt OR t.words <> EXCLUDED.words
$$;

CREATE FUNCTION questionbank_describe_probes() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM questionbank_probetext WHERE probe_id IN (SELECT id FROM old_rows);
    ELSIF TG_OP = 'INSERT' THEN
        PERFORM questionbank_describe(ARRAY(SELECT id FROM new_rows));
    ELSE
        PERFORM questionbank_describe(ARRAY(
            SELECT n.id FROM new_rows n JOIN old_rows o USING (id)
            WHERE (n.title, n.prompt, n.parent_id) IS DISTINCT FROM (o.title, o.prompt, o.parent_id)
        ));
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION questionbank_describe_signals() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM questionbank_describe(ARRAY(SELECT DISTINCT probe_id FROM new_rows));
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM questionbank_describe(ARRAY(SELECT DISTINCT probe_id FROM old_rows));
    ELSE
        PERFORM questionbank_describe(ARRAY(SELECT probe_id FROM new_rows UNION SELECT probe_id FROM old_rows));
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION questionbank_describe_roots() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM questionbank_describe(ARRAY(
        SELECT p.id FROM new_rows n JOIN old_rows o USING (id) JOIN questionbank_probe p ON p.version_id = n.id
        WHERE n.title <> o.title AND p.parent_id IS NULL
    ));
    RETURN NULL;
END $$;

CREATE TRIGGER described_new AFTER INSERT ON questionbank_probe REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION questionbank_describe_probes();
CREATE TRIGGER described AFTER UPDATE ON questionbank_probe REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION questionbank_describe_probes();
CREATE TRIGGER described_gone AFTER DELETE ON questionbank_probe REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION questionbank_describe_probes();
CREATE TRIGGER described_new AFTER INSERT ON questionbank_signal REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION questionbank_describe_signals();
CREATE TRIGGER described AFTER UPDATE ON questionbank_signal REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION questionbank_describe_signals();
CREATE TRIGGER described_gone AFTER DELETE ON questionbank_signal REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION questionbank_describe_signals();
CREATE TRIGGER described AFTER UPDATE ON questionbank_treeversion REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION questionbank_describe_roots();

SELECT questionbank_describe(ARRAY(SELECT id FROM questionbank_probe));
"""

STOP = """
DROP TRIGGER described ON questionbank_treeversion;
DROP TRIGGER described_gone ON questionbank_signal;
DROP TRIGGER described ON questionbank_signal;
DROP TRIGGER described_new ON questionbank_signal;
DROP TRIGGER described_gone ON questionbank_probe;
DROP TRIGGER described ON questionbank_probe;
DROP TRIGGER described_new ON questionbank_probe;
DROP FUNCTION questionbank_describe_roots();
DROP FUNCTION questionbank_describe_signals();
DROP FUNCTION questionbank_describe_probes();
DROP FUNCTION questionbank_describe(bigint[]);
"""


class Migration(migrations.Migration):
    dependencies = [("questionbank", "0009_find")]
    operations = [migrations.RunSQL(KEEP, STOP)]
