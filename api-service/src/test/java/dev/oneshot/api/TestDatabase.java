package dev.oneshot.api;

import dev.oneshot.testing.Sql;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.postgresql.ds.PGSimpleDataSource;

/** The service's database, accessed without the service. */
public final class TestDatabase {

    private TestDatabase() {}

    /** Lets the address expire now. */
    public static void expire(String addressId) {
        update("UPDATE address SET expires_at = now() WHERE id = ?", addressId);
    }

    /** Does what the sweep does to an expired address. */
    public static void sweep(String addressId) {
        update(
                "UPDATE address SET status = 'expired', mail_from = NULL, mail_subject = NULL, mail_received_at = NULL,"
                        + " mail_size_bytes = NULL, mail_attachment_count = NULL WHERE id = ?",
                addressId);
    }

    /** How many mails are stored for an address. */
    public static long mails(String addressId) {
        return count("SELECT count(DISTINCT address_id) FROM mail WHERE address_id = ?", addressId);
    }

    /** How many mails wait to be sent from an address. */
    public static long outbox(String addressId) {
        return count("SELECT count(*) FROM send_outbox WHERE address_id = ?", addressId);
    }

    /** The number that a query returns; 0 if that is null. */
    public static long count(String sql, Object... parameters) {
        return sql().number(sql, parameters);
    }

    /** Runs statements. */
    public static void update(String sql, Object... parameters) {
        sql().execute(sql, parameters);
    }

    /** The database with the service's own user. */
    public static Sql sql() {
        Config config = ConfigProvider.getConfig();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(config.getValue("oneshot.database.url", String.class));
        source.setUser(config.getValue("oneshot.database.username", String.class));
        source.setPassword(config.getValue("oneshot.database.password", String.class));
        return new Sql(source);
    }
}
