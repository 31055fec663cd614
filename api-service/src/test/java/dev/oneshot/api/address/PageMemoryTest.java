package dev.oneshot.api.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageMemoryTest {

    private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");
    private static final Address WAITING =
            new Address("a", "a@example.org", Mode.RECEIVE, Status.WAITING, NOW, NOW, null, null);

    private final List<Long> reserved = new ArrayList<>();
    private final PageMemory memory = reserved::add;

    private static List<Address> page(int waiting, Address last) {
        List<Address> page = new ArrayList<>(Collections.nCopies(waiting, WAITING));
        page.add(last);
        return page;
    }

    private static Address labelled(int characters) {
        return new Address("b", "b@example.org", Mode.RECEIVE, Status.WAITING, NOW, NOW, "x".repeat(characters), null);
    }

    @ParameterizedTest
    @CsvSource({"19, 96, 0", "19, 97, 4097", "99, 255, 20255"})
    void pageAboveFourKibibytesIsReserved(int waiting, int labelCharacters, long characters) {
        memory.reserve(page(waiting, labelled(labelCharacters)));

        assertThat(reserved.stream().mapToLong(Long::longValue).sum()).isEqualTo(characters);
    }

    @Test
    void pageCountsTheTextsOfItsMail() {
        Address.EmailSummary mail = new Address.EmailSummary("ann@example.org", "s".repeat(1_000), NOW, 1, false, 0);
        Address received = new Address("c", "c@example.org", Mode.RECEIVE, Status.RECEIVED, NOW, NOW, null, mail);

        memory.reserve(page(19, received));

        assertThat(reserved).containsExactly(5_015L);
    }
}
