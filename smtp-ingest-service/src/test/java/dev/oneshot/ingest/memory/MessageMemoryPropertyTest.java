package dev.oneshot.ingest.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** What holds for messages in any order of steps. */
class MessageMemoryPropertyTest {

    private static final int PIECE = 64 * 1024;
    private static final int SMALL = 4 * PIECE;
    private static final int LARGEST = 12 * PIECE;

    /** Twenty messages of the largest size: all are completed, at most after a refusal, and the bound holds. */
    @Property(tries = 100)
    void everyMessageIsCompletedInTheEnd(@ForAll long seed) {
        Random random = new Random(seed);
        MessageMemory memory = new MessageMemory(28 * PIECE, LARGEST, SMALL, Duration.ofMinutes(10));
        List<Sender> senders = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            senders.add(new Sender(memory.room()));
        }
        int steps = 0;

        while (!senders.isEmpty()) {
            List<Sender> able = senders.stream().filter(Sender::isAble).toList();
            assertThat(able).as("those who can go on").isNotEmpty();
            Sender sender = able.get(random.nextInt(able.size()));
            if (sender.step()) {
                senders.remove(sender);
            }
            assertThat(memory.reserved()).isLessThanOrEqualTo(memory.max());
            assertThat(++steps).isLessThan(100_000);
        }

        assertThat(memory.reserved()).isZero();
        assertThat(memory.waiting()).isZero();
    }

    private static final class Sender {

        private final MessageMemory.Room room;
        private final AtomicReference<@Nullable Boolean> granted = new AtomicReference<>();
        private long held;
        private boolean waits;

        Sender(MessageMemory.Room room) {
            this.room = room;
        }

        boolean isAble() {
            return !waits || granted.get() != null;
        }

        /** Takes one more piece, or begins again after a refusal, or ends when it has all. */
        boolean step() {
            if (waits) {
                waits = false;
                if (Boolean.TRUE.equals(granted.getAndSet(null))) {
                    held += PIECE;
                } else {
                    room.release();
                    held = 0;
                }
            } else if (held == LARGEST) {
                room.release();
                return true;
            } else if (room.reserve(PIECE, LARGEST)) {
                held += PIECE;
            } else {
                waits = true;
                room.await(0).thenAccept(granted::set);
            }
            return false;
        }
    }
}
