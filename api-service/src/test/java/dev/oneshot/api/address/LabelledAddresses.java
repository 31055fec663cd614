package dev.oneshot.api.address;

import dev.oneshot.api.database.FreshDatabase;
import java.util.UUID;

/** An account with labelled addresses and their mail, in a new database. */
final class LabelledAddresses {

    /** Their label. */
    static final Label LABEL = new Label("bulk");

    private final FreshDatabase database = FreshDatabase.create();
    private final UUID account = UUID.randomUUID();

    LabelledAddresses() {
        database.execute(
                "INSERT INTO account (id, name, plan, api_key_sha256, created_at) VALUES (?, 'a', 'scale', '', now())",
                account);
    }

    FreshDatabase database() {
        return database;
    }

    UUID account() {
        return account;
    }

    /** Old addresses with mail in the partitions of three hours. */
    void insert(int count) {
        String sql = """
                WITH inserted AS (
                    INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at,
                        mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
                    SELECT left(md5(i::text), 24), ?, 'receive', 'received', ?,
                        now() - interval '1 hour' + i * interval '1 microsecond',
                        now() + interval '1 hour' * (1 + i %% 3), '', '', now(), 7, 0
                    FROM generate_series(1, %d) AS i
                    RETURNING id, expires_at)
                INSERT INTO mail (address_id, expires_at, structure, raw)
                SELECT id, expires_at, '', 'To: you' FROM inserted""".formatted(count);
        database.execute(sql, account, LABEL.text());
    }

    /** An address that waits for its mail. */
    void insertWaiting(String id) {
        database.execute(
                "INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at)"
                        + " VALUES (?, ?, 'receive', 'waiting', ?, now(), now() + interval '1 hour')",
                id,
                account,
                LABEL.text());
    }

    long addresses() {
        return database.number("SELECT count(*) FROM address");
    }

    long mails() {
        return database.number("SELECT count(*) FROM mail");
    }

    /** Addresses without their mail, and mails without their address. */
    long halfDeleted() {
        return database.number("SELECT count(*) FROM address FULL JOIN mail ON mail.address_id = address.id"
                + " WHERE (address.status IS NOT DISTINCT FROM 'received') <> (mail.address_id IS NOT NULL)");
    }
}
