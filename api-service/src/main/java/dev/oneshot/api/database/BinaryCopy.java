package dev.oneshot.api.database;

import dev.oneshot.contracts.event.Octets;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.function.Function;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.PGCopyOutputStream;

/**
 * One {@code COPY … FROM STDIN (FORMAT binary)}. Nothing is parsed, planned or bound for a row, and large values are sent from the
 * array they lie in.
 */
final class BinaryCopy {

    /** Keeps a statement far below its timeout: some hundred megabytes may be in one batch of mail. */
    static final int STATEMENT_BYTES = 16 * 1024 * 1024;

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final byte[] SIGNATURE = "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final short END = -1;
    /** PostgreSQL counts microseconds from here. */
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    private BinaryCopy() {}

    /** Takes items until the statement is long enough or none is left. */
    static <T> void copy(CopyManager server, String sql, Iterator<T> items, Function<T, Object[]> columns)
            throws SQLException, IOException {
        CopyIn copy = server.copyIn(sql);
        try {
            PGCopyOutputStream buffer = new PGCopyOutputStream(copy, BUFFER_BYTES);
            DataOutputStream rows = new DataOutputStream(buffer);
            rows.write(SIGNATURE);
            // No flags and no extension of the header.
            rows.writeLong(0);
            while (items.hasNext() && rows.size() < STATEMENT_BYTES) {
                write(columns.apply(items.next()), rows);
            }
            rows.writeShort(END);
            var _ = buffer.endCopy();
        } finally {
            // After a failure in the server, the copy has already ended.
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private static void write(Object[] columns, DataOutputStream rows) throws IOException {
        rows.writeShort(columns.length);
        for (Object column : columns) {
            switch (column) {
                case String text -> value(rows, Octets.of(text.getBytes(StandardCharsets.UTF_8)));
                case Instant instant -> {
                    rows.writeInt(Long.BYTES);
                    rows.writeLong(ChronoUnit.MICROS.between(EPOCH, instant));
                }
                case Integer number -> {
                    rows.writeInt(Integer.BYTES);
                    rows.writeInt(number);
                }
                case Octets octets -> value(rows, octets);
                default -> throw new IllegalArgumentException("no column can be a " + column.getClass());
            }
        }
    }

    private static void value(DataOutputStream rows, Octets octets) throws IOException {
        rows.writeInt(octets.length());
        rows.write(octets.array(), octets.offset(), octets.length());
    }
}
