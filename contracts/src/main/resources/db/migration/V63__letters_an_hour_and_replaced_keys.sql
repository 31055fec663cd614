-- A letter waits until the last one of its kind is an hour old. What happens meanwhile is added to it.
ALTER TABLE letter ADD COLUMN queued_at timestamptz;
UPDATE letter SET queued_at = created_at WHERE queued;
ALTER TABLE letter DROP COLUMN queued;
CREATE UNIQUE INDEX letter_to_queue ON letter (account_id, kind) WHERE queued_at IS NULL;

-- The last key that was replaced by a request with an Idempotency-Key. Until this time it opens the repetition of that request. The new
-- key is not here: it is derived from the old one, which only the client has.
ALTER TABLE account
    ADD COLUMN replaced_key_sha256     bytea UNIQUE,
    ADD COLUMN replaced_by_key         text  COLLATE "C",
    ADD COLUMN replaced_request_sha256 bytea,
    ADD COLUMN replaced_until          timestamptz;
