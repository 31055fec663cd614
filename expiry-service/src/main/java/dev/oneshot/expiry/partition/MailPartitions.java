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
            "SELECT count(*)::int FROM expired_mail_partitions(make_interval(secs => ?))";

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
        return query(CREATE, Integer.class, ahead).getFirst();
    }

    /**
     * Attaches detached partitions of the present and later hours, as mail of these hours cannot be stored without
     * them.
     *
     * @return the names of attached partitions; empty also if another replica is doing this
     */
    List<String> attachDetached(Duration ahead) throws SQLException {
        return query(ATTACH, String.class, ahead);
    }

    /**
     * Drops the oldest partition whose hour ended {@code delay} ago, in one transaction.
     *
     * @param lockTimeout how long to wait for the table's lock; other users of the table wait behind it
     * @return its name; empty if there is none, or another replica is doing this
     * @throws SQLException with state {@code 55P03} if the lock timeout ran out
     */
    Optional<String> dropOldest(Duration delay, Duration lockTimeout) throws SQLException {
        return query(DROP, String.class, delay, lockTimeout).stream().findFirst();
    }

    /** The number of partitions whose hour ended {@code delay} ago. */
    int countExpired(Duration delay) throws SQLException {
        return query(COUNT_EXPIRED, Integer.class, delay).getFirst();
    }

    /** The first column, without nulls. */
    private <T> List<T> query(String sql, Class<T> type, Duration... arguments) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setDouble(i + 1, arguments[i].toMillis() / 1000.0);
            }
            List<T> column = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Optional.ofNullable(rows.getObject(1, type)).ifPresent(column::add);
                }
            }
            return column;
        }
    }
}
