-- Gives each address that still waits the status received and the summary of its mail, and returns the addresses that it changed.
-- Rows are locked in the order of ids, so that two batches, or a batch and a deletion, never deadlock; the caller sorts the ids.
-- Each address is looked up by its id. If the statistics are from a time when no address waited, the planner would otherwise read
-- the whole table for each mail of a batch.
CREATE FUNCTION receive_mail(
        ids text[], authors text[], subjects text[], times timestamptz[], sizes integer[], attachment_counts integer[])
    RETURNS TABLE (address_id text, address_expires_at timestamptz)
    LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    RETURN QUERY
        UPDATE address SET status = 'received', mail_from = mail.author, mail_subject = mail.subject,
            mail_received_at = mail.received_at, mail_size_bytes = mail.size_bytes,
            mail_attachment_count = mail.attachment_count
        FROM unnest(ids, authors, subjects, times, sizes, attachment_counts)
            AS mail (id, author, subject, received_at, size_bytes, attachment_count)
        WHERE address.id = mail.id AND address.status = 'waiting' AND address.mode = 'receive'
            AND address.expires_at > greatest(mail.received_at, now())
        RETURNING address.id, address.expires_at;
END
$$;
