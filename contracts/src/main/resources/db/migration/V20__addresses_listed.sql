-- The order of lists for each status and mode: every list of an account is merged from ranges of it. The expiry is last, so
-- that what has expired and is not swept yet is passed over without a look at its row.
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY address_listed
    ON address (account_id, status, mode, created_at DESC, id DESC, expires_at);
