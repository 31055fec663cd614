DO $$
BEGIN
    IF current_setting('server_version_num')::int < 150000 THEN
        RAISE EXCEPTION 'PostgreSQL % is not supported: oneshot needs 15 or later', current_setting('server_version');
    END IF;
END $$;
