-- Gives each address that still waits the status received, and returns those it changed. Rows are locked in the order of the ids, which
-- the caller sorts, so that two batches, or a batch and a deletion, never deadlock. Each address is looked up by its id, whatever the
-- statistics say: the settings, LATERAL and IS NOT DISTINCT FROM, which no partial index serves, leave the planner no other way. If there
-- were few addresses when it planned, it would otherwise read all addresses for each mail.
CREATE FUNCTION receive_mail(
        ids text[], authors text[], subjects text[], times timestamptz[], sizes integer[], attachment_counts integer[])
    RETURNS TABLE (address_id text, address_expires_at timestamptz)
    LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    RETURN QUERY
        WITH waiting AS MATERIALIZED (
            SELECT mail.*
            FROM unnest(ids, authors, subjects, times, sizes, attachment_counts)
                    AS mail (id, author, subject, received_at, size_bytes, attachment_count)
                CROSS JOIN LATERAL (
                    SELECT FROM address
                    WHERE address.id = mail.id AND status IS NOT DISTINCT FROM 'waiting' AND mode = 'receive'
                        AND expires_at > greatest(mail.received_at, now())
                    FOR UPDATE) AS locked)
        UPDATE address SET status = 'received', mail_from = waiting.author, mail_subject = waiting.subject,
            mail_received_at = waiting.received_at, mail_size_bytes = waiting.size_bytes,
            mail_attachment_count = waiting.attachment_count
        FROM waiting WHERE address.id = waiting.id
        RETURNING address.id, address.expires_at;
END
$$;
