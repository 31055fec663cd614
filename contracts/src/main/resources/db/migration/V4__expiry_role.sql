-- The role of expiry-service. It may do only what the service does, and can never read a mail.

-- Roles belong to the whole cluster: an operator, or the migration of another database, may have created it before.
-- It has no password of its own; if one is needed to log in, the operator sets it.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'oneshot_expiry') THEN
        CREATE ROLE oneshot_expiry LOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN
        RAISE NOTICE 'role oneshot_expiry was created in the meantime';
    WHEN insufficient_privilege THEN
        RAISE EXCEPTION 'the role oneshot_expiry does not exist and this user may not create roles'
            USING HINT = 'As a superuser: CREATE ROLE oneshot_expiry LOGIN PASSWORD ''…''';
END
$$;

-- A batch of the sweep is bounded by its bytes of mail, too.
GRANT SELECT (id, status, expires_at, mail_size_bytes), DELETE,
    UPDATE (status, mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
    ON address TO oneshot_expiry;
GRANT SELECT (address_id, expires_at), DELETE ON mail TO oneshot_expiry;
-- Keys and times, never a response or a reply. FOR UPDATE SKIP LOCKED, by which replicas share the work, needs the right to
-- update a column: here the time, by which a role that may delete the row gains nothing.
GRANT SELECT (account_id, key, expires_at), UPDATE (expires_at), DELETE ON kept_response TO oneshot_expiry;
GRANT SELECT (address_id, settled_at), UPDATE (settled_at), DELETE ON send_settlement TO oneshot_expiry;

-- The names of the partitions whose hour ended at least `delay` ago, oldest first. By name, so that a detached one, or one
-- whose DETACH … CONCURRENTLY was interrupted, is found as well: it contains mail.
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

-- Drops the oldest of them and returns its name, or null if there is none or another session is dropping one.
-- Raises lock_not_available if the table of all mail was in use for `lock_wait` (1 ms to 10 s): the caller retries later.
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
    -- First get autovacuum out of the partition, and keep it out. Readers and writers do not wait
    -- for this lock, so there is time for deadlock_timeout, after which PostgreSQL cancels an autovacuum in the way.
    PERFORM set_config('lock_timeout', '3s', true);
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false)', partition);
    -- Then the drop, which needs the table of all mail for itself, for about a millisecond. All statements queue behind
    -- it, so it does not wait for long. The files are removed after the locks are released.
    wait_ms := least(greatest(extract(epoch FROM lock_wait) * 1000, 1), 10000);
    PERFORM set_config('lock_timeout', wait_ms || 'ms', true);
    EXECUTE format('DROP TABLE %I', partition);
    RETURN partition;
END
$$;

-- To create, attach and drop partitions a role must own the table; these functions lend that right for only that.
DO $$
DECLARE
    signature text;
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO oneshot_expiry', current_schema());
    FOREACH signature IN ARRAY ARRAY[
        'create_mail_partitions(timestamptz, timestamptz)',
        'attach_mail_partitions(timestamptz, timestamptz)',
        'expired_mail_partitions(interval)',
        'drop_expired_mail_partition(interval, interval)'
    ] LOOP
        EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', signature, current_schema());
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', signature);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO oneshot_expiry', signature);
    END LOOP;
END
$$;
