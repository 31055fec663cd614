-- A batch of the sweep is bounded by its octets of mail, too: so that the role can count them. It could always set them
-- to null.
GRANT SELECT (mail_size_bytes) ON address TO oneshot_expiry;
