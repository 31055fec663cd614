-- The same for the lists of a label.
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY address_listed_by_label
    ON address (account_id, label, status, mode, created_at DESC, id DESC, expires_at) WHERE label IS NOT NULL;
