-- Addresses, and the mail that they receive.

CREATE TABLE address (
    id                    text        COLLATE "C" PRIMARY KEY CHECK (length(id) = 24),
    account_id            uuid        NOT NULL REFERENCES account (id),
    mode                  text        NOT NULL CHECK (mode IN ('receive', 'send')),
    -- 'expired' is written by the sweep; readers also treat any row as expired once expires_at has come.
    status                text        NOT NULL CHECK (status IN ('waiting', 'received', 'sent', 'expired')),
    label                 text,
    created_at            timestamptz NOT NULL,
    expires_at            timestamptz NOT NULL,
    -- The e-mail summary, so that polling is one indexed read.
    mail_from             text,
    mail_subject          text,
    mail_received_at      timestamptz,
    mail_size_bytes       integer,
    mail_attachment_count integer,
    CHECK (status <> 'received' OR (mail_from IS NOT NULL AND mail_subject IS NOT NULL
        AND mail_received_at IS NOT NULL AND mail_size_bytes IS NOT NULL AND mail_attachment_count IS NOT NULL)),
    CHECK (status <> 'expired' OR mail_from IS NULL)
)
-- Its indexes of rows to expire need vacuum long before a fifth of the table is dead.
WITH (autovacuum_vacuum_scale_factor = 0.02);

-- The order of lists for each status and mode: every list of an account is merged from ranges of it. The expiry is last, so
-- that an address which has expired and is not swept yet is skipped without reading its row.
CREATE INDEX address_listed ON address (account_id, status, mode, created_at DESC, id DESC, expires_at);
-- The same for the lists of a label.
CREATE INDEX address_listed_by_label
    ON address (account_id, label, status, mode, created_at DESC, id DESC, expires_at) WHERE label IS NOT NULL;
-- An account's addresses that have expired and are not swept yet.
CREATE INDEX address_due ON address (account_id, expires_at) WHERE status <> 'expired';
-- For the sweep: addresses to expire, and expired rows to delete when they are no longer listed.
CREATE INDEX address_to_expire ON address (expires_at) WHERE status <> 'expired';
CREATE INDEX address_to_forget ON address (expires_at) WHERE status = 'expired';

-- Each received mail, in pieces, in hourly partitions by expires_at: dropping a table frees the space of an hour of mail.
-- There is never a DEFAULT partition: it would have to be scanned for every partition that is attached.
CREATE TABLE mail (
    address_id text        COLLATE "C" NOT NULL,
    expires_at timestamptz NOT NULL,
    -- Counts from 0.
    piece      integer     NOT NULL,
    -- Of what contracts' MailContent has compressed: four pieces of 2,000 bytes, then pieces of 8,000; the last has fewer.
    -- The first four share a page with those of other mails, a further one fills a page.
    content    bytea       NOT NULL,
    PRIMARY KEY (address_id, expires_at, piece)
) PARTITION BY RANGE (expires_at);

-- In the row and as it comes, always: no TOAST table, whose pieces of 2 KB cost an insert and an index entry each.
ALTER TABLE mail ALTER COLUMN address_id SET STORAGE PLAIN, ALTER COLUMN content SET STORAGE PLAIN;

-- Creates missing partitions for mail that expires in [first, last], and returns how many it created.
-- Attaching a table that already has the constraint takes a lock that readers and writers do not wait for.
-- Inserts alone never cause a vacuum: the table is dropped before freezing or index-only scans could pay.
CREATE FUNCTION create_mail_partitions(first timestamptz, last timestamptz) RETURNS integer
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
            -- A query, as its snapshot is new: to_regclass() may not see what another session created in the meantime.
            IF NOT EXISTS (SELECT FROM pg_class WHERE relname = partition
                    AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'mail'::regclass)) THEN
                EXECUTE format(
                    'CREATE TABLE %I (LIKE mail INCLUDING ALL, CONSTRAINT hour CHECK (expires_at >= %L AND expires_at < %L)) '
                    'WITH (autovacuum_vacuum_insert_threshold = -1)',
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

-- The longest lifetime is a day.
SELECT create_mail_partitions(now(), now() + interval '26 hours');

-- Attaches detached partitions of coming hours, in [first, last], and returns their names. A detached partition takes no mail.
-- Those of past hours are dropped, by their name. It finishes a DETACH … CONCURRENTLY that was interrupted. It fails, attaching
-- none, if a table no longer has the form of the partitions. Others read and write while it runs; because of the table's check
-- constraint, PostgreSQL does not read its rows.
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

-- Gives each address that still waits the status received, and returns those it changed. Rows are locked in the order of the ids, which
-- the caller sorts, so that two batches, or a batch and a deletion, never deadlock. Each address is looked up by its id, whatever the
-- statistics say: the settings, LATERAL and IS NOT DISTINCT FROM, which no partial index serves, leave the planner no other way. If there
-- were few addresses when it planned, it would otherwise read all addresses for each mail.
CREATE FUNCTION receive_mail(
        ids text[], authors text[], subjects text[], times timestamptz[], sizes integer[], attachment_counts integer[])
    RETURNS TABLE (address_id text, address_expires_at timestamptz)
    LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    RETURN QUERY
        WITH waiting AS MATERIALIZED (
            SELECT mail.*
            FROM unnest(ids, authors, subjects, times, sizes, attachment_counts)
                    AS mail (id, author, subject, received_at, size_bytes, attachment_count)
                CROSS JOIN LATERAL (
                    SELECT FROM address
                    WHERE address.id = mail.id AND status IS NOT DISTINCT FROM 'waiting' AND mode = 'receive'
                        AND expires_at > greatest(mail.received_at, now())
                    FOR UPDATE) AS locked)
        UPDATE address SET status = 'received', mail_from = waiting.author, mail_subject = waiting.subject,
            mail_received_at = waiting.received_at, mail_size_bytes = waiting.size_bytes,
            mail_attachment_count = waiting.attachment_count
        FROM waiting WHERE address.id = waiting.id
        RETURNING address.id, address.expires_at;
END
$$;
