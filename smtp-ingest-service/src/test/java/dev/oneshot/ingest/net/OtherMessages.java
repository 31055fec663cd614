package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.memory.MessageMemory;
import java.util.ArrayDeque;
import java.util.Deque;

/** Messages of others, which hold the memory that a test gives them. */
final class OtherMessages {

    private final MessageMemory memory;
    private final int largest;
    private final Deque<MessageMemory.Room> holding = new ArrayDeque<>();

    private OtherMessages(MessageMemory memory, int largest) {
        this.memory = memory;
        this.largest = largest;
    }

    /** They have all places for large messages. */
    static OtherMessages large(MessageMemory memory, int largest) {
        OtherMessages others = new OtherMessages(memory, largest);
        others.takeAll(largest);
        assertThat(others.holding).isNotEmpty();
        return others;
    }

    /** They hold all there is for small messages too, except for some octets. */
    static OtherMessages all(MessageMemory memory, int largest, int but) {
        OtherMessages others = large(memory, largest);
        for (int octets = 8 * 1024; octets > 0; octets /= 2) {
            others.takeAll(octets);
        }
        int free = 0;
        while (free < but) {
            long before = memory.reserved();
            others.holding.removeLast().release();
            free += Math.toIntExact(before - memory.reserved());
        }
        MessageMemory.Room rest = memory.room();
        assertThat(rest.reserve(free - but, largest)).isTrue();
        others.holding.add(rest);
        return others;
    }

    private void takeAll(int octets) {
        MessageMemory.Room room = memory.room();
        while (room.reserve(octets, largest)) {
            holding.add(room);
            room = memory.room();
        }
    }

    void go() {
        holding.forEach(MessageMemory.Room::release);
        holding.clear();
    }
}
