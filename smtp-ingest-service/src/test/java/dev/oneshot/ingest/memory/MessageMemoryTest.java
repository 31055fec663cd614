package dev.oneshot.ingest.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.memory.MessageMemory.Room;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of 100 octets 60 are for places, and 40 are the common budget. A message of up to 10 octets is small. */
class MessageMemoryTest {

    private static final int SMALL = 10;
    private static final int LARGEST = 60;

    private final MessageMemory memory = new MessageMemory(100, LARGEST, SMALL, Duration.ofMinutes(10));
    private final List<String> told = new ArrayList<>();

    @Test
    void smallMessageTakesWhatItHas() {
        Room room = memory.room();

        assertThat(room.reserve(4, LARGEST)).isTrue();
        assertThat(room.reserve(6, LARGEST)).isTrue();

        assertThat(memory.reserved()).isEqualTo(SMALL);
        room.release();
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void messageThatOutgrowsASmallOneGetsAPlaceForAllOfItAndLeavesTheCommonBudget() {
        Room room = memory.room();
        assertThat(room.reserve(10, 30)).isTrue();

        assertThat(room.reserve(1, 30)).isTrue();

        assertThat(memory.reserved()).isEqualTo(30);
        assertThat(room.reserve(19, 30)).isTrue();
        assertThat(memory.reserved()).isEqualTo(30);
        room.release();
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void messageThatOutgrowsItsPlaceNeedsALargerOne() {
        Room room = memory.room();
        assertThat(room.reserve(30, 30)).isTrue();

        assertThat(room.reserve(1, LARGEST)).isTrue();

        assertThat(memory.reserved()).isEqualTo(LARGEST);
        room.release();
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void messageWithAPlaceCanAlwaysBeCompletedWhateverOthersHold() {
        Room placed = memory.room();
        assertThat(placed.reserve(11, LARGEST)).isTrue();
        begin(larger(), "other");
        fillCommon();

        assertThat(placed.reserve(49, LARGEST)).isTrue();

        assertThat(memory.reserved()).isEqualTo(100);
    }

    @Test
    void placesAreGivenInTheOrderOfRequests() {
        Room first = memory.room();
        assertThat(first.reserve(LARGEST, LARGEST)).isTrue();
        Room second = larger();
        Room third = memory.room();
        begin(second, "second");
        assertThat(third.reserve(11, 11)).isFalse();
        begin(third, "third");
        assertThat(memory.waiting()).isEqualTo(2);

        first.release();

        assertThat(told).containsExactly("second");
        second.release();
        assertThat(told).containsExactly("second", "third");
        third.release();
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void placeIsNotTakenFromThoseWhoWait() {
        Room first = memory.room();
        assertThat(first.reserve(40, 40)).isTrue();
        begin(larger(), "waiting");

        assertThat(memory.room().reserve(11, 11)).isFalse();
    }

    @Test
    void smallMessagesDoNotWaitBehindLargeOnes() {
        assertThat(memory.room().reserve(LARGEST, LARGEST)).isTrue();
        begin(larger(), "large");

        assertThat(memory.room().reserve(SMALL, LARGEST)).isTrue();
    }

    @Test
    void smallMessageThatFindsNoMemoryGetsAPlace() {
        fillCommon();

        assertThat(memory.room().reserve(5, 20)).isTrue();

        assertThat(memory.reserved()).isEqualTo(60);
    }

    @Test
    void smallMessageThatWaitsIsServedBeforeALargeOneThatIsOlder() {
        assertThat(memory.room().reserve(LARGEST, LARGEST)).isTrue();
        Room older = memory.room();
        assertThat(older.reserve(SMALL + 1, LARGEST)).isFalse();
        begin(older, "older");
        Room common = fillCommon();
        Room small = memory.room();
        assertThat(small.reserve(1, LARGEST)).isFalse();
        begin(small, "small");

        common.release();

        assertThat(told).containsExactly("small");
    }

    @Test
    void messageThatMovesToAPlaceMakesRoomForASmallOneThatWaits() {
        Room placed = memory.room();
        assertThat(placed.reserve(LARGEST, LARGEST)).isTrue();
        begin(larger(), "moving");
        fillCommon();
        Room small = memory.room();
        assertThat(small.reserve(SMALL, LARGEST)).isFalse();
        begin(small, "small");

        placed.release();

        assertThat(told).containsExactly("moving", "small");
    }

    @Test
    void octetsThatWereReadAlreadyCountWhileTheirMessageWaitsAndNotLonger() {
        assertThat(memory.room().reserve(LARGEST, LARGEST)).isTrue();
        Room waiting = larger();
        long before = memory.reserved();

        waiting.await(7).thenAccept(granted -> told.add("ended " + granted));

        assertThat(memory.reserved()).isEqualTo(before + 7);
        waiting.leave();
        assertThat(memory.reserved()).isEqualTo(before);
        assertThat(told).containsExactly("ended false");
    }

    @Test
    void messagesThatWaitHoldHalfOfTheCommonBudgetAtMost() {
        assertThat(memory.room().reserve(LARGEST, LARGEST)).isTrue();
        begin(larger(), "first");
        Room second = larger();

        second.await(1).thenAccept(granted -> told.add("second " + granted));

        assertThat(told).containsExactly("second false");
        assertThat(memory.waiting()).isEqualTo(1);
        assertThat(memory.room().reserve(SMALL, LARGEST)).isTrue();
    }

    @Test
    void messageThatWaitsNoLongerMakesRoomForTheNext() {
        assertThat(memory.room().reserve(40, 40)).isTrue();
        Room older = larger();
        Room younger = memory.room();
        begin(older, "older");
        assertThat(younger.reserve(20, 20)).isFalse();
        begin(younger, "younger");

        older.leave();

        assertThat(told).containsExactly("younger", "older refused");
    }

    @Test
    void waitThatIsOverReleasesNothingTwice() {
        Room first = memory.room();
        assertThat(first.reserve(LARGEST, LARGEST)).isTrue();
        Room waiting = larger();
        begin(waiting, "waiting");
        first.release();
        assertThat(told).containsExactly("waiting");

        waiting.leave();
        waiting.release();
        waiting.release();

        assertThat(memory.reserved()).isZero();
    }

    /** A message with as much as a small one may have, which needs a place for more. */
    private Room larger() {
        Room room = memory.room();
        assertThat(room.reserve(SMALL, LARGEST)).isTrue();
        assertThat(room.reserve(1, LARGEST)).isFalse();
        return room;
    }

    /** Fills the common budget; returns the last of its messages. */
    private Room fillCommon() {
        Room last = memory.room();
        for (Room next = last; next.reserve(SMALL, Integer.MAX_VALUE); next = memory.room()) {
            last = next;
        }
        return last;
    }

    private void begin(Room room, String name) {
        room.await(0).thenAccept(granted -> told.add(granted ? name : name + " refused"));
    }
}
