-- Where the service writes to an account. Null: it writes nothing.
ALTER TABLE account ADD COLUMN contact_email text CHECK (length(contact_email) BETWEEN 3 AND 254);
