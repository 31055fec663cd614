package dev.oneshot.api.inbox;

import dev.oneshot.contracts.event.Octets;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A row of {@code mail}: a part of the content of a mail. The first 8,000 bytes are four pieces, so that small mails share the pages
 * of the database; each further piece fills a page.
 *
 * @param number counts from 0
 */
record MailPiece(String addressId, int number, Octets content) {

    private static final int SMALL_BYTES = 2_000;

    /** A row of this size fills a page. PostgreSQL would cut a larger one up again, into another table. */
    private static final int LARGE_BYTES = 8_000;

    private static final int SMALL_PIECES = LARGE_BYTES / SMALL_BYTES;

    /** Every read takes the pieces up to this one, as they have the whole index of the content. */
    static final int LAST_SMALL = SMALL_PIECES - 1;

    static Stream<MailPiece> of(String addressId, Octets content) {
        return IntStream.rangeClosed(0, at(content.length() - 1)).mapToObj(number -> {
            int from = begin(number);
            int length = Math.min(begin(number + 1), content.length()) - from;
            return new MailPiece(addressId, number, Octets.of(content.array(), content.offset() + from, length));
        });
    }

    /** The number of the piece that has the byte at this offset. */
    static int at(int offset) {
        return offset < LARGE_BYTES ? offset / SMALL_BYTES : offset / LARGE_BYTES + LAST_SMALL;
    }

    /** Where a piece begins in the content. */
    static int begin(int number) {
        return number <= LAST_SMALL ? number * SMALL_BYTES : (number - LAST_SMALL) * LARGE_BYTES;
    }
}
