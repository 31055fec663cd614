-- A mail that fits into a page is one row: pieces in a TOAST table cost an insert and an index entry for every 2 KB. Larger mails are
-- stored as before. Rows that are there stay as they are.

-- Creates what is missing of the partitions for mail that expires in [first, last]; answers how many it created.
-- Attaching a table that already has the constraint takes a lock that readers and writers do not wait for.
-- Inserts alone never call for a vacuum: the table is gone before freezing or index-only scans could pay.
CREATE OR REPLACE FUNCTION create_mail_partitions(first timestamptz, last timestamptz) RETURNS integer
    LANGUAGE plpgsql AS $$
DECLARE
    hour      timestamptz := date_trunc('hour', first, 'UTC');
    partition text;
    created   integer     := 0;
BEGIN
    IF last > first + interval '32 days' THEN
        RAISE EXCEPTION 'partitions are created for at most 32 days, not from % to %', first, last
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    WHILE hour <= last LOOP
        partition := 'mail_' || to_char(hour AT TIME ZONE 'UTC', 'YYYYMMDDHH24');
        IF to_regclass(partition) IS NULL THEN
            PERFORM pg_advisory_xact_lock(hashtext('mail partitions'));
            -- A query, as its snapshot is new: to_regclass() may not see what another session created meanwhile.
            IF NOT EXISTS (SELECT FROM pg_class WHERE relname = partition
                    AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'mail'::regclass)) THEN
                EXECUTE format(
                    'CREATE TABLE %I (LIKE mail INCLUDING ALL, CONSTRAINT hour CHECK (expires_at >= %L AND expires_at < %L)) '
                    'WITH (toast_tuple_target = 8160, '
                    'autovacuum_vacuum_insert_threshold = -1, toast.autovacuum_vacuum_insert_threshold = -1)',
                    partition, hour, hour + interval '1 hour');
                EXECUTE format('ALTER TABLE mail ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                    partition, hour, hour + interval '1 hour');
                created := created + 1;
            END IF;
        END IF;
        hour := hour + interval '1 hour';
    END LOOP;
    RETURN created;
END
$$;

-- REPLACE has taken this away; the right to call it stays.
DO $$
DECLARE
    partition text;
BEGIN
    EXECUTE format('ALTER FUNCTION create_mail_partitions(timestamptz, timestamptz) '
        'SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
    -- Readers and writers do not wait for this.
    FOR partition IN
        SELECT relname
        FROM pg_class
        WHERE relkind = 'r'
            AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'mail'::regclass)
            AND relname ~ '^mail_[0-9]{10}$'
        ORDER BY relname
    LOOP
        EXECUTE format('ALTER TABLE %I SET (toast_tuple_target = 8160)', partition);
    END LOOP;
END
$$;
