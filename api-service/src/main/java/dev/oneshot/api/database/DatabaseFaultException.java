package dev.oneshot.api.database;

import java.io.Serial;
import java.sql.SQLException;

/** A statement or its data is at fault: a retry would fail again. */
public final class DatabaseFaultException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String sqlState;

    DatabaseFaultException(SQLException cause) {
        super("statement failed sqlState=" + cause.getSQLState(), cause);
        this.sqlState = cause.getSQLState() == null ? "" : cause.getSQLState();
    }

    /** Whether a row with the same key exists (23505). */
    public boolean isUniqueViolation() {
        return sqlState.equals("23505");
    }

    /** Whether a row broke a CHECK or belongs to a partition that does not exist (23514). */
    public boolean isCheckViolation() {
        return sqlState.equals("23514");
    }

    /**
     * Whether the data is to blame, not the statement or the schema: data exceptions (22), integrity constraints (23)
     * and limits exceeded (54).
     */
    public boolean isAboutData() {
        return sqlState.startsWith("22") || sqlState.startsWith("23") || sqlState.startsWith("54");
    }
}
