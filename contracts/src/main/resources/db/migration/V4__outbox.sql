-- What has to reach Kafka because something was committed: written in that same transaction, published by whichever
-- replica is first, and deleted when Kafka has acknowledged it. Normally empty.
CREATE TABLE outbox (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic       text        NOT NULL,
    -- The record's key.
    address_id  text        COLLATE "C" NOT NULL,
    value       bytea       NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    -- From when on there is no sense in publishing it.
    expires_at  timestamptz NOT NULL
);

CREATE INDEX outbox_by_address ON outbox (address_id);
CREATE INDEX outbox_to_expire ON outbox (expires_at);

-- Attachments do not compress, and are read whole.
ALTER TABLE outbox ALTER COLUMN value SET STORAGE EXTERNAL;
-- Every row is soon dead: what it held must not wait for a fifth of an empty table.
ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 100);

-- How each request to send ended. Nothing of the mail is in it.
CREATE TABLE send_settlement (
    address_id       text        COLLATE "C" PRIMARY KEY,
    -- Null if the address was gone before its end was known.
    account_id       uuid,
    outcome          text        NOT NULL,
    failure          text,
    reply_code       integer,
    enhanced_status  text,
    attempts         integer     NOT NULL CHECK (attempts >= 0),
    requested_at     timestamptz,
    settled_at       timestamptz NOT NULL
);

CREATE INDEX send_settlement_by_time ON send_settlement (settled_at DESC, address_id DESC);
