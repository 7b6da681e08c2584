"""A mark in one round trip and no transaction around it: room_mark looks at everything before it writes anything.

Most of what a room says are marks, and nearly all of them are accepted. room_mark writes such a one; where anything is
not as it should be (a repeat, another version, a seat that may not) it writes nothing and returns no row, and the
command goes the long way, which knows what to answer. Locks are those of room_append, in its order. The plans of its
statements are kept by the connection.
"""

from __future__ import annotations

from django.db import migrations

MARK = """
CREATE FUNCTION room_mark(
    p_room bigint, p_seat bigint, p_may text[], p_stream text, p_command uuid, p_digest text, p_made_at timestamptz,
    p_data jsonb, p_asked uuid, p_version integer, p_given jsonb
) RETURNS TABLE (
    seq bigint, at timestamptz, version integer, outcome text, aid text, depth smallint, why smallint,
    hands_on smallint, confidence text
)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    stands integer;
    mark interviews_mark%ROWTYPE;
    judged timestamptz := CASE WHEN p_given ->> 'outcome' IS NOT NULL THEN p_made_at END;
BEGIN
    PERFORM 1 FROM interviews_room r WHERE r.id = p_room FOR KEY SHARE;
    PERFORM 1 FROM interviews_stream s WHERE s.room_id = p_room AND s.name = p_stream FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- From here on nobody else writes this author's stream, and so none of their marks.
    PERFORM 1 FROM interviews_command c WHERE c.seat_id = p_seat AND c.command = p_command;
    IF FOUND THEN
        RETURN;
    END IF;
    PERFORM 1 FROM interviews_seat s JOIN interviews_interview i ON i.id = s.interview_id
        WHERE s.id = p_seat AND s.removed_at IS NULL AND s.card_submitted_at IS NULL
            AND s.role || '/' || i.status = ANY (p_may);
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT m.version INTO stands FROM interviews_mark m WHERE m.seat_id = p_seat AND m.asked_id = p_asked;
    IF NOT FOUND AND p_version = 0 THEN
        INSERT INTO interviews_mark (seat_id, asked_id, version, made_at, written_at, judged_at, outcome, aid,
                                     depth, why, hands_on, confidence)
            VALUES (p_seat, p_asked, 1, p_made_at, clock_timestamp(), judged, p_given ->> 'outcome', p_given ->> 'aid',
                    (p_given ->> 'depth')::smallint, (p_given ->> 'why')::smallint,
                    (p_given ->> 'hands_on')::smallint, p_given ->> 'confidence')
            RETURNING * INTO mark;
    ELSIF stands = p_version AND p_version > 0 THEN
        UPDATE interviews_mark m SET
            version = m.version + 1, made_at = p_made_at, written_at = clock_timestamp(),
            judged_at = COALESCE(judged, m.judged_at),
            outcome = CASE WHEN p_given ? 'outcome' THEN p_given ->> 'outcome' ELSE m.outcome END,
            aid = CASE WHEN p_given ? 'aid' THEN p_given ->> 'aid' ELSE m.aid END,
            depth = CASE WHEN p_given ? 'depth' THEN (p_given ->> 'depth')::smallint ELSE m.depth END,
            why = CASE WHEN p_given ? 'why' THEN (p_given ->> 'why')::smallint ELSE m.why END,
            hands_on = CASE WHEN p_given ? 'hands_on' THEN (p_given ->> 'hands_on')::smallint ELSE m.hands_on END,
            confidence = CASE WHEN p_given ? 'confidence' THEN p_given ->> 'confidence' ELSE m.confidence END
            WHERE m.seat_id = p_seat AND m.asked_id = p_asked
            RETURNING * INTO mark;
    ELSE
        RETURN;
    END IF;
    RETURN QUERY SELECT a.seq, a.at, mark.version, mark.outcome::text, mark.aid::text, mark.depth, mark.why,
            mark.hands_on, mark.confidence::text
        FROM room_append(p_room, false, p_seat, p_command, p_digest, mark.version, p_made_at, ARRAY[p_stream],
                         ARRAY['mark.set'], ARRAY[p_data], 1) a;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("interviews", "0015_decision_and_debrief")]
    operations = [migrations.RunSQL(MARK, "DROP FUNCTION room_mark")]
