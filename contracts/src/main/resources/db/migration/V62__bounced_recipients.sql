-- A notification settles a send only if it names its recipient, of which a digest is kept.
ALTER TABLE send_outbox ADD COLUMN recipient_digest text;
ALTER TABLE send_settlement ADD COLUMN recipient_digest text;
