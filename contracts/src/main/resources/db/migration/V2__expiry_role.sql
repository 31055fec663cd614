-- The role of expiry-service: what it may do is what it does, and it can never read a mail.

-- Roles belong to the whole cluster: an operator, or the migration of another database, may have made it before.
-- It has no password of its own; where one is needed to log in, the operator sets it.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'oneshot_expiry') THEN
        CREATE ROLE oneshot_expiry LOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN
        RAISE NOTICE 'role oneshot_expiry was created meanwhile';
    WHEN insufficient_privilege THEN
        RAISE EXCEPTION 'the role oneshot_expiry does not exist and this user may not create roles'
            USING HINT = 'As a superuser: CREATE ROLE oneshot_expiry LOGIN PASSWORD ''…''';
END
$$;

GRANT SELECT (id, status, expires_at), DELETE,
    UPDATE (status, mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
    ON address TO oneshot_expiry;
GRANT SELECT (address_id, expires_at), DELETE ON mail TO oneshot_expiry;

-- The names of the partitions whose hour has been over for `delay`, oldest first. By name, so that one which somebody
-- detached, or half detached (DETACH … CONCURRENTLY that was interrupted), is found as well: it has mail in it.
CREATE FUNCTION expired_mail_partitions(delay interval) RETURNS SETOF text
    LANGUAGE sql STABLE AS $$
    SELECT relname::text
    FROM pg_class
    WHERE relkind = 'r'
        AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'mail'::regclass)
        AND relname ~ '^mail_[0-9]{10}$'
        AND relname::text COLLATE "C" < 'mail_' || to_char((now() - delay) AT TIME ZONE 'UTC', 'YYYYMMDDHH24')
    ORDER BY relname::text COLLATE "C"
$$;

-- Drops the oldest of them; answers its name, or null if there is none or another session is at it.
-- Raises lock_not_available when the table of all mail was in use for `lock_wait` (1 ms to 10 s): the caller tries again
-- later.
CREATE FUNCTION drop_expired_mail_partition(delay interval, lock_wait interval) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    partition text;
    wait_ms   integer;
BEGIN
    IF delay < interval '0' THEN
        RAISE EXCEPTION 'the delay must not be negative, it is %', delay USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT pg_try_advisory_xact_lock(hashtext('mail partitions')) THEN
        RETURN NULL;
    END IF;
    SELECT name INTO partition FROM expired_mail_partitions(delay) AS name LIMIT 1;
    IF partition IS NULL THEN
        RETURN NULL;
    END IF;
    IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = partition::regclass AND inhdetachpending) THEN
        EXECUTE format('ALTER TABLE mail DETACH PARTITION %I FINALIZE', partition);
    END IF;
    -- First get autovacuum out of the partition and its TOAST table, and keep it out. Readers and writers do not wait
    -- for this lock, so there is time for deadlock_timeout, after which PostgreSQL cancels an autovacuum in the way.
    PERFORM set_config('lock_timeout', '3s', true);
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false, toast.autovacuum_enabled = false)', partition);
    -- Then the drop, which needs the table of all mail for itself, for about a millisecond. Everybody queues behind
    -- it, therefore it does not wait for long. The files are removed after the locks have been given back.
    wait_ms := least(greatest(extract(epoch FROM lock_wait) * 1000, 1), 10000);
    PERFORM set_config('lock_timeout', wait_ms || 'ms', true);
    EXECUTE format('DROP TABLE %I', partition);
    RETURN partition;
END
$$;

-- To create and drop partitions one must own the table; these functions lend that right for just that.
DO $$
DECLARE
    signature text;
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO oneshot_expiry', current_schema());
    FOREACH signature IN ARRAY ARRAY[
        'create_mail_partitions(timestamptz, timestamptz)',
        'expired_mail_partitions(interval)',
        'drop_expired_mail_partition(interval, interval)'
    ] LOOP
        EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', signature, current_schema());
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', signature);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO oneshot_expiry', signature);
    END LOOP;
END
$$;

-- The queue-like indexes of a table that is always changing want vacuum long before a fifth of it is dead.
ALTER TABLE address SET (autovacuum_vacuum_scale_factor = 0.02);
