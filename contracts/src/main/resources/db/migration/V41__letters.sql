-- What the service writes to the contacts of accounts: added with the event itself, moved to send_outbox soon after. A row stays for a
-- billing cycle, so that there is one letter an occasion.
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
    queued      boolean     NOT NULL DEFAULT false,
    UNIQUE (account_id, kind, occasion)
);

CREATE INDEX letter_to_queue ON letter (created_at) WHERE NOT queued;
