package dev.oneshot.expiry.partition;

import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Calls the database's functions for partitions. Only they may create and drop partitions, and they drop only expired
 * ones.
 */
@Singleton
final class MailPartitions {

    private static final String CREATE = "SELECT create_mail_partitions(now(), now() + make_interval(secs => ?))";
    private static final String ATTACH = "SELECT attach_mail_partitions(now(), now() + make_interval(secs => ?))";
    private static final String DROP =
            "SELECT drop_expired_mail_partition(make_interval(secs => ?), make_interval(secs => ?))";
    private static final String COUNT_EXPIRED =
            "SELECT count(*) FROM expired_mail_partitions(make_interval(secs => ?))";

    private final DataSource database;

    MailPartitions(DataSource database) {
        this.database = database;
    }

    /**
     * Creates missing partitions from the present hour on.
     *
     * @return the number of partitions created; 0 if another replica was first
     */
    int createAhead(Duration ahead) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(CREATE)) {
            statement.setDouble(1, seconds(ahead));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /**
     * Attaches detached partitions of the present and later hours, as mail of these hours cannot be stored without
     * them.
     *
     * @return the names of attached partitions; empty also if another replica is doing this
     */
    List<String> attachDetached(Duration ahead) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(ATTACH)) {
            statement.setDouble(1, seconds(ahead));
            List<String> attached = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    attached.add(rows.getString(1));
                }
            }
            return attached;
        }
    }

    /**
     * Drops the oldest partition whose hour ended {@code delay} ago, in one transaction.
     *
     * @param lockTimeout how long to wait for the table's lock; other users of the table wait behind it
     * @return its name; empty if there is none, or another replica is doing this
     * @throws SQLException with state {@code 55P03} if the lock timeout ran out
     */
    Optional<String> dropOldest(Duration delay, Duration lockTimeout) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(DROP)) {
            statement.setDouble(1, seconds(delay));
            statement.setDouble(2, seconds(lockTimeout));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return Optional.ofNullable(row.getString(1));
            }
        }
    }

    /** The number of partitions whose hour ended {@code delay} ago. */
    int countExpired(Duration delay) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(COUNT_EXPIRED)) {
            statement.setDouble(1, seconds(delay));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
