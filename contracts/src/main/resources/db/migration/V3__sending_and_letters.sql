-- Requests to send, their results, and the service's letters to accounts.

-- Requests to send, until they are settled: a queue, and the only durable place of their content.
CREATE TABLE send_outbox (
    address_id       text        COLLATE "C" PRIMARY KEY,
    -- A MailRequested, encoded by contracts' EventCodec.
    value            bytea       NOT NULL,
    -- The W3C trace context of the request.
    traceparent      text,
    created_at       timestamptz NOT NULL DEFAULT now(),
    expires_at       timestamptz NOT NULL,
    due_at           timestamptz NOT NULL DEFAULT now(),
    -- The number of attempts, and the result of the last one.
    attempts         integer     NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_failure     text,
    reply_code       integer,
    enhanced_status  text,
    -- Until then one mailer may be sending it, and no other may begin. It also identifies the lease.
    leased_until     timestamptz,
    -- The status code (RFC 3463) of a notification that came before the relay's 250 was recorded.
    bounced_status   text,
    -- A notification settles a send only if it names its recipient, of which this is a digest.
    recipient_digest text
)
-- Every row is soon dead, and its content must not wait until a fifth of an almost empty table is.
WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 100);

-- Attachments do not compress, and are read whole.
ALTER TABLE send_outbox ALTER COLUMN value SET STORAGE EXTERNAL;

CREATE INDEX send_outbox_due ON send_outbox (due_at) WHERE leased_until IS NULL;
CREATE INDEX send_outbox_leased ON send_outbox (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX send_outbox_to_expire ON send_outbox (expires_at);

-- The result of each request to send. It has nothing of the mail.
CREATE TABLE send_settlement (
    address_id       text        COLLATE "C" PRIMARY KEY,
    -- Null if the address was gone before the result was known.
    account_id       uuid,
    outcome          text        NOT NULL,
    failure          text,
    reply_code       integer,
    enhanced_status  text,
    attempts         integer     NOT NULL CHECK (attempts >= 0),
    requested_at     timestamptz,
    settled_at       timestamptz NOT NULL,
    recipient_digest text
);

CREATE INDEX send_settlement_by_time ON send_settlement (settled_at DESC, address_id DESC);
-- Results are deleted with their account.
CREATE INDEX send_settlement_by_account ON send_settlement (account_id) WHERE account_id IS NOT NULL;

-- E-mails of the service to the contacts of accounts. A row is added with the event itself and moved to send_outbox soon after.
-- It is kept for a billing cycle, so that there is one letter for each occasion. A letter waits until the last one of its kind is
-- an hour old. Further events of that hour are added to it.
CREATE TABLE letter (
    -- Not the id of an address.
    id          text        COLLATE "C" PRIMARY KEY DEFAULT 'letter-' || gen_random_uuid(),
    account_id  uuid        NOT NULL REFERENCES account ON DELETE CASCADE,
    kind        text        NOT NULL,
    -- The cycle, the hour or the grant.
    occasion    text        NOT NULL,
    amount      bigint      NOT NULL DEFAULT 0,
    total       bigint      NOT NULL DEFAULT 0,
    reference   text,
    created_at  timestamptz NOT NULL DEFAULT now(),
    queued_at   timestamptz,
    UNIQUE (account_id, kind, occasion)
);

CREATE UNIQUE INDEX letter_to_queue ON letter (account_id, kind) WHERE queued_at IS NULL;
