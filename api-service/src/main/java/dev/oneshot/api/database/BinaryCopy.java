package dev.oneshot.api.database;

import dev.oneshot.contracts.event.Octets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.function.Function;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;

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

    private final CopyIn copy;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long bytes;

    private BinaryCopy(CopyIn copy) {
        this.copy = copy;
    }

    /** Takes items until the statement is long enough or none is left. */
    static <T> void copy(CopyManager server, String sql, Iterator<T> items, Function<T, Object[]> columns)
            throws SQLException {
        CopyIn copy = server.copyIn(sql);
        try {
            BinaryCopy rows = new BinaryCopy(copy);
            rows.begin();
            while (items.hasNext() && rows.bytes < STATEMENT_BYTES) {
                rows.row(columns.apply(items.next()));
            }
            rows.end();
        } catch (SQLException | RuntimeException | Error e) {
            cancel(copy, e);
            throw e;
        }
    }

    /** After a failure of the server the copy has ended already. */
    private static void cancel(CopyIn copy, Throwable failure) {
        try {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private void begin() throws SQLException {
        put(SIGNATURE, 0, SIGNATURE.length);
        // No flags and no extension of the header.
        room(Long.BYTES).putLong(0);
    }

    private void row(Object[] columns) throws SQLException {
        room(Short.BYTES).putShort((short) columns.length);
        for (Object column : columns) {
            switch (column) {
                case String text -> {
                    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
                    value(octets, 0, octets.length);
                }
                case Instant instant ->
                    room(Integer.BYTES + Long.BYTES)
                            .putInt(Long.BYTES)
                            .putLong(ChronoUnit.MICROS.between(EPOCH, instant));
                case Octets octets -> value(octets.array(), octets.offset(), octets.length());
                default -> throw new IllegalArgumentException("no column can be a " + column.getClass());
            }
        }
    }

    private void end() throws SQLException {
        room(Short.BYTES).putShort(END);
        flush();
        var _ = copy.endCopy();
    }

    private void value(byte[] array, int offset, int length) throws SQLException {
        room(Integer.BYTES).putInt(length);
        put(array, offset, length);
    }

    private void put(byte[] array, int offset, int length) throws SQLException {
        bytes += length;
        if (length > BUFFER_BYTES) {
            flush();
            copy.writeToCopy(array, offset, length);
        } else {
            room(length).put(array, offset, length);
        }
    }

    /** The buffer, with room for so many bytes. */
    private ByteBuffer room(int length) throws SQLException {
        if (buffer.remaining() < length) {
            flush();
        }
        return buffer;
    }

    private void flush() throws SQLException {
        if (buffer.position() > 0) {
            copy.writeToCopy(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
    }
}
