package dev.oneshot.api.database;

import io.agroal.api.AgroalDataSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

/**
 * Runs pieces of work on a borrowed connection. Blocking: call it on a virtual thread, never on an event loop.
 *
 * <p>Failures are either {@link DatabaseUnavailableException}, for which the client may try again, or
 * {@link DatabaseFaultException}, which is a bug of ours or a record that cannot be stored.
 */
@ApplicationScoped
public class Database {

    private final AgroalDataSource dataSource;
    private final Duration retryAfter;
    private final int attempts;

    Database(AgroalDataSource dataSource, DatabaseConfig config) {
        this.dataSource = dataSource;
        this.retryAfter = config.retryAfter();
        this.attempts = config.attempts();
        if (attempts < 1) {
            throw new IllegalArgumentException("oneshot.database.attempts must be at least 1");
        }
    }

    /** A piece of work; all its statements have to be closed at its end. */
    @FunctionalInterface
    public interface Work<T> {
        /** Does the work. It may be done more than once, after a rollback. */
        T run(Connection connection) throws SQLException;
    }

    /** Runs a single statement, which is its own transaction. */
    public <T> T statement(Work<T> work) {
        return attempt(() -> {
            try (Connection connection = dataSource.getConnection()) {
                return work.run(connection);
            }
        });
    }

    /** Runs several statements in one transaction: all of it is committed, or nothing. */
    public <T> T transaction(Work<T> work) {
        return attempt(() -> {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                return committed(connection, work);
            }
        });
    }

    private static <T> T committed(Connection connection, Work<T> work) throws SQLException {
        try {
            T result = work.run(connection);
            connection.commit();
            return result;
        } catch (Throwable e) {
            // Errors too: what is not rolled back by then is committed with the change of the mode below.
            rollBack(connection, e);
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
            }
        }
    }

    private static void rollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    @FunctionalInterface
    private interface Attempt<T> {
        T run() throws SQLException;
    }

    private <T> T attempt(Attempt<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.run();
            } catch (SQLException e) {
                if (!isLostRace(e)) {
                    throw isUnavailable(e)
                            ? new DatabaseUnavailableException(retryAfter, e)
                            : new DatabaseFaultException(e);
                }
                if (attempt == attempts) {
                    throw new DatabaseUnavailableException(retryAfter, e);
                }
            }
        }
    }

    /** serialization_failure, deadlock_detected. */
    private static boolean isLostRace(SQLException e) {
        String state = e.getSQLState();
        return "40001".equals(state) || "40P01".equals(state);
    }

    /**
     * Connection exceptions (08), insufficient resources (53), operator intervention (57, a statement timeout among
     * them), a primary that became a standby (25006), locks not to be had (55P03), system errors (58), and the pool's
     * own refusal, which has no SQLSTATE.
     */
    private static boolean isUnavailable(SQLException e) {
        String state = e.getSQLState();
        if (state == null || e instanceof SQLTransientConnectionException) {
            return true;
        }
        return state.startsWith("08")
                || state.startsWith("53")
                || state.startsWith("57")
                || state.startsWith("58")
                || state.equals("25006")
                || state.equals("55P03");
    }
}
