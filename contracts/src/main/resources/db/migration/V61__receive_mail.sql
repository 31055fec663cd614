-- Gives each address that still waits the status received, one after the other in the order of the ids, and returns those it changed.
-- The caller sorts the ids, so that two batches, or a batch and a deletion, never deadlock. Each address is looked up by its id,
-- whatever the statistics say: in one statement for all, or by an index of the addresses that have not expired, the planner would
-- read all of them if there were few when it planned. IS NOT DISTINCT FROM keeps it from such an index.
CREATE FUNCTION receive_mail(
        ids text[], authors text[], subjects text[], times timestamptz[], sizes integer[], attachment_counts integer[])
    RETURNS TABLE (address_id text, address_expires_at timestamptz)
    LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    FOR i IN 1 .. cardinality(ids) LOOP
        UPDATE address SET status = 'received', mail_from = authors[i], mail_subject = subjects[i],
            mail_received_at = times[i], mail_size_bytes = sizes[i], mail_attachment_count = attachment_counts[i]
        WHERE id = ids[i] AND status IS NOT DISTINCT FROM 'waiting' AND mode = 'receive'
            AND expires_at > greatest(times[i], now())
        RETURNING id, expires_at INTO address_id, address_expires_at;
        IF FOUND THEN
            RETURN NEXT;
        END IF;
    END LOOP;
END
$$;
