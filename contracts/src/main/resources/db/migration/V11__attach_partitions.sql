-- A partition that somebody detached is there by its name and takes no mail. Those of hours that are over are dropped, by
-- their name; this attaches those of hours to come, that are in [first, last], and answers their names. It finishes a
-- DETACH … CONCURRENTLY that was interrupted, and fails, attaching none, if a table is not as the partitions are any more.
-- Others go on reading and writing meanwhile; the check that the table was created with spares reading it.
CREATE FUNCTION attach_mail_partitions(first timestamptz, last timestamptz) RETURNS SETOF text
    LANGUAGE plpgsql AS $$
DECLARE
    partition text;
    pending   boolean;
    hour      timestamptz;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('mail partitions')) THEN
        RETURN;
    END IF;
    FOR partition, pending IN
        SELECT relname::text, inhrelid IS NOT NULL
        FROM pg_class LEFT JOIN pg_inherits ON inhrelid = pg_class.oid AND inhparent = 'mail'::regclass
        WHERE relkind = 'r'
            AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'mail'::regclass)
            AND relname ~ '^mail_[0-9]{10}$'
            AND relname::text COLLATE "C" >= 'mail_' || to_char(first AT TIME ZONE 'UTC', 'YYYYMMDDHH24')
            AND relname::text COLLATE "C" <= 'mail_' || to_char(last AT TIME ZONE 'UTC', 'YYYYMMDDHH24')
            AND (inhrelid IS NULL OR inhdetachpending)
        ORDER BY relname::text COLLATE "C"
    LOOP
        IF pending THEN
            EXECUTE format('ALTER TABLE mail DETACH PARTITION %I FINALIZE', partition);
        END IF;
        hour := make_timestamptz(substr(partition, 6, 4)::int, substr(partition, 10, 2)::int,
            substr(partition, 12, 2)::int, substr(partition, 14, 2)::int, 0, 0, 'UTC');
        EXECUTE format('ALTER TABLE mail ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            partition, hour, hour + interval '1 hour');
        RETURN NEXT partition;
    END LOOP;
END
$$;

-- As with the other functions on partitions: lent to the role for just that.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION attach_mail_partitions(timestamptz, timestamptz) '
        'SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
    REVOKE EXECUTE ON FUNCTION attach_mail_partitions(timestamptz, timestamptz) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION attach_mail_partitions(timestamptz, timestamptz) TO oneshot_expiry;
END
$$;
