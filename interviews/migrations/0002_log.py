"""The log's one write path, and the guards of append-only tables and frozen texts.

room_append does in one round trip what every command needs, in the lock order "room, then streams by name":
lock, look for a repeat, take the next seq of each stream, write the events and the accepted command. A repeat is looked
for in a statement after the lock, because READ COMMITTED takes its snapshot when a statement starts.
"""

from __future__ import annotations

from django.db import migrations

APPEND = """
CREATE FUNCTION room_append(
    p_room bigint, p_exclusive boolean, p_seat bigint, p_command uuid, p_digest text, p_version integer,
    p_made_at timestamptz, p_streams text[], p_names text[], p_datas jsonb[], p_ack integer
) RETURNS TABLE (outcome text, stream text, seq bigint, version integer) LANGUAGE plpgsql AS $$
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
            outcome := CASE WHEN known.digest = p_digest THEN 'repeat' ELSE 'id_reused' END;
            stream := known.stream; seq := known.seq; version := known.version;
            RETURN NEXT;
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
        outcome := 'appended'; stream := p_streams[i]; seq := next_seq; version := p_version;
        RETURN NEXT;
    END LOOP;
    IF p_command IS NOT NULL THEN
        INSERT INTO interviews_command (seat_id, command, digest, stream, seq, version, at)
            VALUES (p_seat, p_command, p_digest, p_streams[p_ack], ack_seq, p_version, now_at);
    END IF;
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON interviews_event
    FOR EACH ROW EXECUTE FUNCTION sounding_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON interviews_command
    FOR EACH ROW EXECUTE FUNCTION sounding_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON interviews_reveal
    FOR EACH ROW EXECUTE FUNCTION sounding_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON interviews_consent
    FOR EACH ROW EXECUTE FUNCTION sounding_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON interviews_void
    FOR EACH ROW EXECUTE FUNCTION sounding_append_only();

CREATE FUNCTION interviews_frozen_text() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER frozen BEFORE UPDATE OR DELETE ON interviews_text
    FOR EACH ROW EXECUTE FUNCTION interviews_frozen_text();
"""

UNDO = """
DROP TRIGGER frozen ON interviews_text;
DROP FUNCTION interviews_frozen_text();
DROP TRIGGER append_only ON interviews_void;
DROP TRIGGER append_only ON interviews_consent;
DROP TRIGGER append_only ON interviews_reveal;
DROP TRIGGER append_only ON interviews_command;
DROP TRIGGER append_only ON interviews_event;
DROP FUNCTION room_append;
"""


class Migration(migrations.Migration):
    dependencies = [("interviews", "0001_initial"), ("people", "0002_append_only")]
    operations = [migrations.RunSQL(APPEND, UNDO)]
