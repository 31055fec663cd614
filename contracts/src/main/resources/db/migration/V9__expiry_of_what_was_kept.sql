-- What is over is deleted in one place, by expiry-service: also kept answers, ends of requests and old changes of accounts.

-- An answer says itself until when it is kept. The default serves replicas of api-service from before this migration.
ALTER TABLE idempotent_answer ADD COLUMN expires_at timestamptz NOT NULL DEFAULT now() + interval '24 hours';
UPDATE idempotent_answer SET expires_at = created_at + interval '24 hours';
CREATE INDEX idempotent_answer_to_expire ON idempotent_answer (expires_at);
DROP INDEX idempotent_answer_by_age;

-- Keys and times, never an answer or a reply. FOR UPDATE SKIP LOCKED, by which replicas share the work, asks for the right
-- to update a column: the time, by which a role that may delete the row gains nothing.
GRANT SELECT (account_id, key, expires_at), UPDATE (expires_at), DELETE ON idempotent_answer TO oneshot_expiry;
GRANT SELECT (address_id, settled_at), UPDATE (settled_at), DELETE ON send_settlement TO oneshot_expiry;
GRANT SELECT (id, changed_at), UPDATE (changed_at), DELETE ON account_change TO oneshot_expiry;
