-- The W3C trace context of what made the entry. Null from a replica that does not know the column yet.
ALTER TABLE outbox ADD COLUMN traceparent text;
