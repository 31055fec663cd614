-- Requests to send, until they are settled: a queue, and the only durable place of their content. The table outbox belongs to replicas
-- of the version before, which publish all of it; what they leave there is moved here.
CREATE TABLE send_outbox (
    address_id       text        COLLATE "C" PRIMARY KEY,
    -- As contracts' EventCodec writes a MailRequested.
    value            bytea       NOT NULL,
    -- The W3C trace context of the request.
    traceparent      text,
    created_at       timestamptz NOT NULL DEFAULT now(),
    expires_at       timestamptz NOT NULL,
    due_at           timestamptz NOT NULL DEFAULT now(),
    -- How often the relay was tried, and what came of the last attempt.
    attempts         integer     NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_failure     text,
    reply_code       integer,
    enhanced_status  text,
    -- Until then a mailer may be sending it, and no other may begin. It also identifies the lease.
    leased_until     timestamptz
);

CREATE INDEX send_outbox_due ON send_outbox (due_at) WHERE leased_until IS NULL;
CREATE INDEX send_outbox_leased ON send_outbox (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX send_outbox_to_expire ON send_outbox (expires_at);

-- Attachments do not compress, and are read whole.
ALTER TABLE send_outbox ALTER COLUMN value SET STORAGE EXTERNAL;
-- Every row is soon dead: what it held must not wait for a fifth of an empty table.
ALTER TABLE send_outbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 100);
