package dev.oneshot.contracts.migration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/** The scripts of the database schema. A released script is never changed. */
public final class MigrationScripts {

    /** Their folder on the class path. */
    public static final String FOLDER = "db/migration";

    /** Their file names, in the order of their versions. */
    public static final List<String> NAMES = List.of(
            "V1__accounts_addresses_mail.sql",
            "V2__expiry_role.sql",
            "V4__outbox.sql",
            "V5__credits_rates_idempotency.sql",
            "V6__addresses_by_status.sql",
            "V8__outbox_trace.sql",
            "V9__expiry_of_what_was_kept.sql",
            "V10__expiry_by_octets.sql",
            "V11__attach_partitions.sql",
            "V20__addresses_listed.sql",
            "V21__addresses_listed_by_label.sql",
            "V22__addresses_due.sql",
            "V23__lists_without_their_old_indexes.sql",
            "V30__send_outbox.sql",
            "V40__contact_email.sql",
            "V41__letters.sql",
            "V50__small_mail_in_one_row.sql",
            "V60__bounces.sql");

    private MigrationScripts() {}

    /**
     * Opens a script.
     *
     * @param name one of {@link #NAMES}
     * @throws IllegalArgumentException if there is no such file
     */
    public static InputStream open(String name) {
        InputStream script = MigrationScripts.class.getResourceAsStream("/" + FOLDER + "/" + name);
        if (script == null) {
            throw new IllegalArgumentException("there is no migration script " + name);
        }
        return script;
    }

    /**
     * The checksum that Flyway records for a script: the CRC-32 of its lines without line ends.
     *
     * @param name one of {@link #NAMES}
     */
    public static int checksum(String name) throws IOException {
        CRC32 checksum = new CRC32();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(open(name), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                checksum.update(line.getBytes(StandardCharsets.UTF_8));
            }
        }
        return (int) checksum.getValue();
    }
}
