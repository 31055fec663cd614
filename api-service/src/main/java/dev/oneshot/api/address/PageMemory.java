package dev.oneshot.api.address;

import dev.oneshot.api.error.ApiException;
import java.util.List;

/** The memory for pages of addresses, which a client may read slowly. */
public interface PageMemory {

    /** The length of an item in JSON, without its label, sender and subject. */
    long ITEM_CHARACTERS = 200;

    /** Pages up to this size are not counted: every request has buffers this large. */
    long FREE_CHARACTERS = 4 * 1024;

    /**
     * Reserves memory for the current response until it is sent.
     *
     * @param characters the length of its text
     * @throws ApiException 429 or 503 if there is no room in time
     */
    void reserve(long characters);

    /**
     * Reserves memory for a page of more than {@link #FREE_CHARACTERS}. A hundred addresses with the longest texts take half a megabyte.
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
