package dev.oneshot.api.address;

import dev.oneshot.api.error.ApiException;
import java.util.List;

/** The memory for pages of addresses, which a client may read slowly. */
public interface PageMemory {

    /** The characters of an item, without its label and the texts of its mail. */
    long ITEM_CHARACTERS = 200;

    /** Pages up to this size are not counted: every request has buffers this large. */
    long FREE_CHARACTERS = 4 * 1024;

    /**
     * Reserves memory for the present response until it is sent.
     *
     * @param characters of its text
     * @throws ApiException 429 or 503 if there is no room in time
     */
    void reserve(long characters);

    /**
     * Reserves memory for a page, unless it is small. A hundred subjects of a thousand characters are half a megabyte.
     *
     * @throws ApiException as {@link #reserve(long)}
     */
    default void reserve(List<Address> page) {
        long characters = page.stream().mapToLong(PageMemory::characters).sum();
        if (characters > FREE_CHARACTERS) {
            reserve(characters);
        }
    }

    private static long characters(Address address) {
        String label = address.label();
        Address.EmailSummary email = address.email();
        return ITEM_CHARACTERS
                + (label == null ? 0 : label.length())
                + (email == null ? 0 : email.from().length() + email.subject().length());
    }
}
