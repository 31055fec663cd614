-- What of an account has expired and is not swept yet.
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY address_due ON address (account_id, expires_at) WHERE status <> 'expired';
