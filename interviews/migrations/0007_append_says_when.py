"""room_append says when it wrote, so that a process can tell its own sockets without reading the event back."""

from __future__ import annotations

from importlib import import_module

from django.db import migrations

SAYS_WHEN = """
DROP FUNCTION room_append;
CREATE FUNCTION room_append(
    p_room bigint, p_exclusive boolean, p_seat bigint, p_command uuid, p_digest text, p_version integer,
    p_made_at timestamptz, p_streams text[], p_names text[], p_datas jsonb[], p_ack integer
) RETURNS TABLE (outcome text, stream text, seq bigint, version integer, at timestamptz, made_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    known interviews_command%ROWTYPE;
    next_seq bigint;
    ack_seq bigint;
    now_at timestamptz;
BEGIN
    IF p_exclusive THEN
        PERFORM 1 FROM interviews_room r WHERE r.id = p_room FOR NO KEY UPDATE;
    ELSE
        PERFORM 1 FROM interviews_room r WHERE r.id = p_room FOR KEY SHARE;
    END IF;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no room %', p_room USING ERRCODE = 'no_data_found';
    END IF;
    FOR i IN 1 .. array_length(p_streams, 1) LOOP
        IF i > 1 AND p_streams[i] COLLATE "C" <= p_streams[i - 1] COLLATE "C" THEN
            RAISE EXCEPTION 'streams must come in the order of their names: %', p_streams;
        END IF;
        PERFORM 1 FROM interviews_stream s WHERE s.room_id = p_room AND s.name = p_streams[i] FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            INSERT INTO interviews_stream (room_id, name, head) VALUES (p_room, p_streams[i], 0) ON CONFLICT DO NOTHING;
            PERFORM 1 FROM interviews_stream s WHERE s.room_id = p_room AND s.name = p_streams[i] FOR NO KEY UPDATE;
        END IF;
    END LOOP;

    IF p_command IS NOT NULL THEN
        SELECT * INTO known FROM interviews_command c WHERE c.seat_id = p_seat AND c.command = p_command;
        IF FOUND THEN
            RETURN QUERY SELECT CASE WHEN known.digest = p_digest THEN 'repeat' ELSE 'id_reused' END,
                known.stream::text, known.seq, known.version, known.at, known.at;
            RETURN;
        END IF;
    END IF;

    now_at := clock_timestamp();
    FOR i IN 1 .. array_length(p_streams, 1) LOOP
        UPDATE interviews_stream s SET head = s.head + 1
            WHERE s.room_id = p_room AND s.name = p_streams[i] RETURNING s.head INTO next_seq;
        INSERT INTO interviews_event (room_id, stream, seq, name, seat_id, cause, at, made_at, data)
            VALUES (p_room, p_streams[i], next_seq, p_names[i], p_seat, p_command, now_at, COALESCE(p_made_at, now_at),
                    p_datas[i]);
        IF i = p_ack THEN ack_seq := next_seq; END IF;
        RETURN QUERY SELECT 'appended'::text, p_streams[i], next_seq, p_version, now_at, COALESCE(p_made_at, now_at);
    END LOOP;
    IF p_command IS NOT NULL THEN
        INSERT INTO interviews_command (seat_id, command, digest, stream, seq, version, at)
            VALUES (p_seat, p_command, p_digest, p_streams[p_ack], ack_seq, p_version, now_at);
    END IF;
END $$;
"""

BEFORE = import_module("interviews.migrations.0002_log").APPEND.partition("CREATE TRIGGER")[0]
SILENT = f"""
DROP FUNCTION room_append;
{BEFORE}
ALTER FUNCTION room_append SET search_path = pg_catalog, public, pg_temp;
"""


class Migration(migrations.Migration):
    dependencies = [("interviews", "0006_guards_look_at_our_tables")]
    operations = [migrations.RunSQL(SAYS_WHEN, SILENT)]
