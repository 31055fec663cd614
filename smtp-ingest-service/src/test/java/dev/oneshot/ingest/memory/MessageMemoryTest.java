package dev.oneshot.ingest.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of 14 units 6 are for the head, and 4 of the rest are spare; a unit is more than a small message has. */
class MessageMemoryTest {

    private static final int UNIT = 2 * MessageMemory.SMALL;
    private static final int LARGEST = 6 * UNIT;

    private final MessageMemory memory = new MessageMemory(14 * UNIT, LARGEST, Duration.ofSeconds(10));
    private final List<String> told = new ArrayList<>();

    @Test
    void largeMessagesMayHaveTheCommonShareAndTheOldestOneMoreAndNobodyElse() {
        MessageMemory.Room one = memory.room();
        MessageMemory.Room two = memory.room();

        assertThat(one.reserve(4 * UNIT)).isTrue();
        assertThat(two.reserve(LARGEST + 1)).isFalse();
        assertThat(two.reserve(LARGEST)).isTrue();
        assertThat(memory.room().reserve(UNIT)).isFalse();
        assertThat(memory.reserved()).isEqualTo(10 * UNIT);
    }

    @Test
    void absurdDemandsAreRefused() {
        MessageMemory.Room room = memory.room();
        assertThat(room.reserve(1)).isTrue();

        assertThat(room.reserve(Long.MAX_VALUE)).isFalse();

        assertThat(memory.reserved()).isEqualTo(1);
    }

    @Test
    void messageAtTheHeadCanAlwaysBeFinishedWhateverOthersHold() {
        MessageMemory.Room head = memory.room();
        MessageMemory.Room other = memory.room();
        assertThat(head.reserve(UNIT)).isTrue();
        assertThat(other.reserve(3 * UNIT)).isTrue();

        for (int units = 1; units < 6; units++) {
            assertThat(head.reserve(UNIT)).isTrue();
        }

        assertThat(head.reserve(1)).isFalse();
        // All of it lies in the head's share now.
        assertThat(other.reserve(UNIT)).isTrue();
        assertThat(other.reserve(1)).isFalse();
    }

    @Test
    void thoseWhoWaitAreServedInTheOrderInWhichTheirMessagesBegan() {
        MessageMemory.Room head = memory.room();
        MessageMemory.Room older = memory.room();
        MessageMemory.Room younger = memory.room();
        assertThat(older.reserve(UNIT)).isTrue();
        assertThat(younger.reserve(3 * UNIT)).isTrue();
        assertThat(head.reserve(LARGEST)).isTrue();
        await(younger, "younger", 2 * UNIT);
        await(older, "older", 2 * UNIT);
        assertThat(told).isEmpty();
        assertThat(memory.waiting()).isEqualTo(2);

        head.release(LARGEST);

        // The older one is the head now, and leaves its octets in the common share to the other, which are too few.
        assertThat(told).containsExactly("older");
        assertThat(older.stopWaiting()).isTrue();
        older.release(3 * UNIT);
        assertThat(told).containsExactly("older", "younger");
        assertThat(younger.stopWaiting()).isTrue();
        younger.release(5 * UNIT);
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void youngerMessageDoesNotTakeWhatAnOlderOneWaitsFor() {
        MessageMemory.Room common = memory.room();
        MessageMemory.Room head = memory.room();
        MessageMemory.Room older = memory.room();
        assertThat(common.reserve(3 * UNIT)).isTrue();
        assertThat(head.reserve(LARGEST)).isTrue();
        await(older, "older", 2 * UNIT);

        assertThat(memory.room().reserve(UNIT)).isFalse();

        common.release(3 * UNIT);
        assertThat(told).containsExactly("older");
        assertThat(memory.room().reserve(UNIT)).isTrue();
    }

    @Test
    void smallMessagesDoNotQueueBehindLargeOnes() {
        fillWithLarge();
        awaitNothingRead(memory.room(), "large", UNIT);
        int small = 0;

        while (memory.room().reserve(MessageMemory.SMALL)) {
            small++;
        }

        assertThat(small).isEqualTo(4 * UNIT / MessageMemory.SMALL);
        assertThat(memory.reserved()).isEqualTo(memory.max());
        assertThat(memory.room().reserve(1)).isFalse();
    }

    @Test
    void smallMessagesTakeNothingFromWhatLargeOnesMayHave() {
        assertThat(memory.room().reserve(3 * UNIT)).isTrue();
        for (int i = 0; i < 4; i++) {
            assertThat(memory.room().reserve(MessageMemory.SMALL)).isTrue();
        }

        assertThat(memory.room().reserve(UNIT)).isTrue();

        assertThat(memory.room().reserve(LARGEST)).isTrue();
        assertThat(memory.room().reserve(UNIT)).isFalse();
    }

    @Test
    void messageIsSmallUpToABoundAndNotBeyond() {
        fillWithLarge();
        MessageMemory.Room room = memory.room();

        assertThat(room.reserve(MessageMemory.SMALL)).isTrue();
        assertThat(room.reserve(1)).isFalse();
        assertThat(memory.room().reserve(MessageMemory.SMALL + 1)).isFalse();
    }

    @Test
    void largeMessageIsInTheWayOfThoseWhoWaitAndASmallOneIsNot() {
        MessageMemory.Room large = memory.room();
        MessageMemory.Room small = memory.room();
        assertThat(large.reserve(MessageMemory.SMALL + 1)).isTrue();
        assertThat(memory.room().reserve(4 * UNIT - MessageMemory.SMALL - 1)).isTrue();
        assertThat(memory.room().reserve(LARGEST)).isTrue();
        assertThat(small.reserve(MessageMemory.SMALL)).isTrue();
        assertThat(large.blocksOthers()).isFalse();
        MessageMemory.Room waiting = memory.room();
        assertThat(waiting.await(UNIT, 0, () -> {})).isTrue();

        assertThat(large.blocksOthers()).isTrue();
        assertThat(small.blocksOthers()).isFalse();
        assertThat(waiting.blocksOthers()).isFalse();
        waiting.stopWaiting();
        assertThat(large.blocksOthers()).isFalse();
    }

    @Test
    void smallMessageThatWaitsIsServedBeforeALargeOneThatIsOlder() {
        fillWithLarge();
        MessageMemory.Room spare = memory.room();
        assertThat(spare.reserve(MessageMemory.SMALL)).isTrue();
        while (memory.room().reserve(MessageMemory.SMALL)) {
            assertThat(memory.reserved()).isLessThanOrEqualTo(memory.max());
        }
        MessageMemory.Room large = memory.room();
        MessageMemory.Room small = memory.room();
        assertThat(large.reserve(UNIT)).isFalse();
        assertThat(small.reserve(10)).isFalse();
        awaitNothingRead(large, "large", UNIT);
        awaitNothingRead(small, "small", 10);

        spare.release(MessageMemory.SMALL);

        assertThat(told).containsExactly("small");
    }

    @Test
    void smallMessageThatWaitsGetsWhateverIsFreed() {
        MessageMemory.Room large = memory.room();
        assertThat(large.reserve(4 * UNIT)).isTrue();
        assertThat(memory.room().reserve(LARGEST)).isTrue();
        fillSpareBut(5);
        awaitNothingRead(memory.room(), "small", 6);
        assertThat(told).isEmpty();

        large.release(1);

        assertThat(told).containsExactly("small");
    }

    @Test
    void waitIsOverdueAtItsBound() {
        assertThat(memory.room().isOverdue(Duration.ofSeconds(10).toNanos() - 1))
                .isFalse();
        assertThat(memory.room().isOverdue(Duration.ofSeconds(10).toNanos())).isTrue();
    }

    @Test
    void octetsThatWereReadAlreadyCountWhileTheirMessageWaitsAndNotLonger() {
        fillWithLarge();
        MessageMemory.Room room = memory.room();
        long before = memory.reserved();

        assertThat(room.await(UNIT, 1000, () -> told.add("room"))).isTrue();

        assertThat(memory.reserved()).isEqualTo(before + 1000);
        assertThat(room.stopWaiting()).isFalse();
        assertThat(memory.reserved()).isEqualTo(before);
        assertThat(told).isEmpty();
    }

    @Test
    void nothingIsWaitedForWhenWhatWasReadFindsNoRoom() {
        fillWithLarge();
        fillSpareBut(10);
        MessageMemory.Room room = memory.room();

        assertThat(room.await(UNIT, 11, () -> told.add("room"))).isFalse();
        assertThat(memory.waiting()).isZero();
        assertThat(room.stopWaiting()).isFalse();
        assertThat(room.await(UNIT, 10, () -> told.add("room"))).isTrue();
        assertThat(memory.reserved()).isEqualTo(memory.max());
    }

    @Test
    void whatWasReadOfLargeMessagesThatWaitLeavesHalfOfTheSpareToSmallOnes() {
        fillWithLarge();
        MessageMemory.Room one = memory.room();
        await(one, "one", UNIT, 2 * UNIT);
        MessageMemory.Room two = memory.room();

        assertThat(two.await(UNIT, 1, () -> told.add("two"))).isFalse();

        assertThat(memory.room().reserve(MessageMemory.SMALL)).isTrue();
        assertThat(one.stopWaiting()).isFalse();
        assertThat(two.await(UNIT, 2 * UNIT, () -> told.add("two"))).isTrue();
        assertThat(two.stopWaiting()).isFalse();
        assertThat(told).isEmpty();
    }

    @Test
    void messageThatWaitsNoLongerMakesRoomForTheNext() {
        MessageMemory.Room common = memory.room();
        MessageMemory.Room head = memory.room();
        MessageMemory.Room older = memory.room();
        MessageMemory.Room younger = memory.room();
        assertThat(common.reserve(3 * UNIT)).isTrue();
        assertThat(head.reserve(LARGEST)).isTrue();
        await(older, "older", 2 * UNIT);
        await(younger, "younger", UNIT);

        assertThat(older.stopWaiting()).isFalse();

        assertThat(told).containsExactly("younger");
        assertThat(younger.stopWaiting()).isTrue();
    }

    @Test
    void waitIsOverAtOnceWhenThereIsRoomByThen() {
        MessageMemory.Room room = memory.room();

        await(room, "room", UNIT);

        assertThat(told).containsExactly("room");
        assertThat(room.stopWaiting()).isTrue();
        assertThat(memory.reserved()).isEqualTo(UNIT);
    }

    /** All but the spare. */
    private void fillWithLarge() {
        assertThat(memory.room().reserve(4 * UNIT)).isTrue();
        assertThat(memory.room().reserve(LARGEST)).isTrue();
    }

    /** By small messages, while the other shares are full. */
    private void fillSpareBut(int octets) {
        while (memory.max() - memory.reserved() > octets) {
            long more = Math.min(MessageMemory.SMALL, memory.max() - memory.reserved() - octets);
            assertThat(memory.room().reserve(more)).isTrue();
        }
    }

    private void await(MessageMemory.Room room, String name, long octets) {
        await(room, name, octets, 1);
    }

    private void awaitNothingRead(MessageMemory.Room room, String name, long octets) {
        await(room, name, octets, 0);
    }

    private void await(MessageMemory.Room room, String name, long octets, long unread) {
        assertThat(room.await(octets, unread, () -> told.add(name))).isTrue();
    }
}
