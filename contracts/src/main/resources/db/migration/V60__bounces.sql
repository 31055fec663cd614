-- The status code (RFC 3463) of a notification that came before the relay's 250 was recorded.
ALTER TABLE send_outbox ADD COLUMN bounced_status text;
