package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.memory.MessageMemory;
import java.util.HashMap;
import java.util.Map;

/** Messages of other sessions, which hold memory. */
final class OtherMessages {

    private final MessageMemory memory;
    private final Map<MessageMemory.SessionMemory, Long> held = new HashMap<>();

    /** They hold nothing. */
    OtherMessages(MessageMemory memory) {
        this.memory = memory;
    }

    /** They hold all memory of large messages. */
    static OtherMessages large(MessageMemory memory, long largest) {
        OtherMessages others = new OtherMessages(memory);
        long withoutHead = memory.max() - largest;
        assertThat(others.take(withoutHead - withoutHead / 2)).isTrue();
        assertThat(others.take(largest)).isTrue();
        return others;
    }

    /** They hold all memory except this many bytes. */
    static OtherMessages all(MessageMemory memory, long largest, int but) {
        OtherMessages others = large(memory, largest);
        MessageMemory.SessionMemory last = memory.ofSession();
        assertThat(last.reserve(MessageMemory.SMALL)).isTrue();
        while (others.take(MessageMemory.SMALL)) {
            assertThat(memory.reserved()).isLessThanOrEqualTo(memory.max());
        }
        last.release(but);
        others.held.put(last, (long) MessageMemory.SMALL - but);
        assertThat(memory.reserved()).isEqualTo(memory.max() - but);
        return others;
    }

    boolean take(long octets) {
        MessageMemory.SessionMemory session = memory.ofSession();
        boolean taken = session.reserve(octets);
        if (taken) {
            held.put(session, octets);
        }
        return taken;
    }

    void go() {
        held.forEach(MessageMemory.SessionMemory::release);
        held.clear();
    }
}
