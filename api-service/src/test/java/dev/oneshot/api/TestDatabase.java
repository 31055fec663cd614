package dev.oneshot.api;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

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
        return count("SELECT count(*) FROM mail WHERE address_id = ?", addressId);
    }

    /** How many mails wait to be sent from an address. */
    public static long outbox(String addressId) {
        return count("SELECT count(*) FROM send_outbox WHERE address_id = ?", addressId);
    }

    /** The number that a query with one text parameter returns; 0 if that is null. */
    public static long count(String sql, String parameter) {
        String number = texts(sql, parameter).getFirst();
        return number == null ? 0 : Long.parseLong(number);
    }

    /** The texts that a query with one text parameter returns. */
    public static List<String> texts(String sql, String parameter) {
        try (Connection connection = connect();
                PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, parameter);
            List<String> texts = new ArrayList<>();
            try (ResultSet result = select.executeQuery()) {
                while (result.next()) {
                    texts.add(result.getString(1));
                }
            }
            return texts;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs a statement without parameters. */
    public static void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs an update with one text parameter. */
    public static void update(String sql, String parameter) {
        try (Connection connection = connect();
                PreparedStatement update = connection.prepareStatement(sql)) {
            update.setString(1, parameter);
            update.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A new connection. */
    public static Connection connect() throws SQLException {
        Config config = ConfigProvider.getConfig();
        return DriverManager.getConnection(
                config.getValue("oneshot.database.url", String.class),
                config.getValue("oneshot.database.username", String.class),
                config.getValue("oneshot.database.password", String.class));
    }
}
