-- Accounts, addresses and mail. Only api-service runs migrations.

CREATE TABLE account (
    id              uuid        PRIMARY KEY,
    name            text        NOT NULL,
    plan            text        NOT NULL,
    -- SHA-256 of the API key; the key itself is nowhere.
    api_key_sha256  bytea       NOT NULL UNIQUE,
    -- Also the anchor of the monthly billing cycle.
    created_at      timestamptz NOT NULL,
    -- The billing cycle (0 is the first) that `used` counts. A create in a later cycle starts again at 1, in the same
    -- statement: there is no job that could be missed.
    cycle           integer     NOT NULL DEFAULT 0 CHECK (cycle >= 0),
    used            integer     NOT NULL DEFAULT 0 CHECK (used >= 0),
    credits_bought  bigint      NOT NULL DEFAULT 0 CHECK (credits_bought >= 0),
    credits_spent   bigint      NOT NULL DEFAULT 0 CHECK (credits_spent BETWEEN 0 AND credits_bought)
);

CREATE INDEX account_by_creation ON account (created_at DESC, id DESC);

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
);

-- The order of lists and their keyset cursors.
CREATE INDEX address_by_account ON address (account_id, created_at DESC, id DESC);
CREATE INDEX address_by_label ON address (account_id, label, created_at DESC, id DESC) WHERE label IS NOT NULL;
-- What the sweep has still to do, and what it will remove when the listed row has had its time.
CREATE INDEX address_to_expire ON address (expires_at) WHERE status <> 'expired';
CREATE INDEX address_to_forget ON address (expires_at) WHERE status = 'expired';

-- One row a received mail, in hourly partitions by expires_at, so that reclaiming an hour of mail is dropping a table.
-- There is never a DEFAULT partition: it would have to be scanned for every partition that is attached.
CREATE TABLE mail (
    address_id  text        COLLATE "C" NOT NULL,
    expires_at  timestamptz NOT NULL,
    -- The message structure, as contracts' EventCodec writes it.
    structure   bytea       NOT NULL,
    -- The message as it came, trace fields in front.
    raw         bytea       NOT NULL,
    PRIMARY KEY (address_id, expires_at)
) PARTITION BY RANGE (expires_at);

-- Out of line and uncompressed, so that substring() reads the slice it is asked for and no more.
ALTER TABLE mail ALTER COLUMN raw SET STORAGE EXTERNAL;

-- Creates what is missing of the partitions for mail that expires in [first, last]; answers how many it created.
-- Attaching a table that already has the constraint takes a lock that readers and writers do not wait for.
-- Inserts alone never call for a vacuum: the table is gone before freezing or index-only scans could pay.
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
            -- A query, as its snapshot is new: to_regclass() may not see what another session created meanwhile.
            IF NOT EXISTS (SELECT FROM pg_class WHERE relname = partition
                    AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'mail'::regclass)) THEN
                EXECUTE format(
                    'CREATE TABLE %I (LIKE mail INCLUDING ALL, CONSTRAINT hour CHECK (expires_at >= %L AND expires_at < %L)) '
                    'WITH (autovacuum_vacuum_insert_threshold = -1, toast.autovacuum_vacuum_insert_threshold = -1)',
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
