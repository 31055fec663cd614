package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.net.Deadlines.Exceeded;
import dev.oneshot.ingest.smtp.session.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

    private static final Deadlines.Bounds BOUNDS = new Deadlines.Bounds(
            Duration.ofSeconds(300),
            Duration.ofSeconds(600),
            Duration.ofSeconds(30),
            100,
            Duration.ofSeconds(5),
            1_000);

    private final Deadlines deadlines = new Deadlines(BOUNDS, 0);

    @Test
    void clientMayThinkAboutItsCommandForTheIdleTime() {
        assertThatItEndsAfter(Phase.COMMAND, 300, Exceeded.IDLE);
    }

    @Test
    void contentThatOthersWaitForGivesWayWhenItIsSlowerThanItMayBe() {
        deadlines.entered(Phase.CONTENT, 0);
        deadlines.received(1_000_000, seconds(1));
        assertThat(deadlines.mustShed(true, seconds(1))).isFalse();
        deadlines.received(4_999, seconds(2));

        assertThat(deadlines.mustShed(true, seconds(6) - 1)).isFalse();
        assertThat(deadlines.mustShed(true, seconds(6))).isTrue();
    }

    @Test
    void contentThatOthersWaitForGoesOnWhenItIsAsFastAsItHasToBe() {
        deadlines.entered(Phase.CONTENT, 0);
        assertThat(deadlines.mustShed(true, seconds(1))).isFalse();
        deadlines.received(5_000, seconds(2));
        assertThat(deadlines.mustShed(true, seconds(6))).isFalse();

        // And it is measured anew.
        deadlines.received(4_999, seconds(7));
        assertThat(deadlines.mustShed(true, seconds(11))).isTrue();
    }

    @Test
    void contentThatNobodyWaitsForMayBeSlow() {
        deadlines.entered(Phase.CONTENT, 0);
        assertThat(deadlines.mustShed(true, seconds(1))).isFalse();
        assertThat(deadlines.mustShed(false, seconds(5))).isFalse();

        assertThat(deadlines.mustShed(true, seconds(6))).isFalse();
        assertThat(deadlines.mustShed(true, seconds(11) - 1)).isFalse();
        assertThat(deadlines.mustShed(true, seconds(11))).isTrue();
    }

    @Test
    void messageThatIsBeingStoredDoesNotGiveWay() {
        deadlines.entered(Phase.CONTENT, 0);
        assertThat(deadlines.mustShed(true, seconds(1))).isFalse();
        deadlines.entered(Phase.BUSY, seconds(2));

        assertThat(deadlines.mustShed(true, seconds(60))).isFalse();
    }

    @Test
    void everyReplyStartsTheIdleTimeAnew() {
        deadlines.replied(seconds(299));

        assertThatItEndsAfter(Phase.COMMAND, 599, Exceeded.IDLE);
    }

    @Test
    void octetsOfACommandDoNotLengthenItsTime() {
        deadlines.received(1, seconds(299));
        deadlines.received(1, seconds(300));

        assertThatItEndsAfter(Phase.COMMAND, 300, Exceeded.IDLE);
    }

    @Test
    void everyOctetOfTheContentStartsTheIdleTimeAnew() {
        deadlines.entered(Phase.CONTENT, 0);
        deadlines.received(100_000, seconds(299));

        assertThatItEndsAfter(Phase.CONTENT, 599, Exceeded.IDLE);
    }

    @Test
    void timeOfTheContentRunsOnBetweenItsChunks() {
        deadlines.entered(Phase.CONTENT, 0);
        deadlines.received(100_000_000, seconds(300));
        deadlines.replied(seconds(300));
        deadlines.entered(Phase.CONTENT, seconds(599));
        deadlines.received(1, seconds(599));

        assertThatItEndsAfter(Phase.CONTENT, 600, Exceeded.TOO_SLOW);
    }

    @Test
    void contentMayBeSlowForTheGraceAndNotLonger() {
        deadlines.entered(Phase.CONTENT, 0);
        deadlines.received(1, seconds(1));

        assertThatItEndsAfter(Phase.CONTENT, 30, Exceeded.TOO_SLOW);
    }

    @Test
    void contentAtTheLeastRateIsFastEnough() {
        deadlines.entered(Phase.CONTENT, 0);
        deadlines.received(10_000, seconds(50));

        assertThat(deadlines.exceeded(Phase.CONTENT, seconds(100))).isEqualTo(Exceeded.NONE);
        assertThat(deadlines.exceeded(Phase.CONTENT, seconds(101))).isEqualTo(Exceeded.TOO_SLOW);
    }

    @Test
    void contentHasToBeThereAfterTheWholeTime() {
        deadlines.entered(Phase.CONTENT, 0);
        deadlines.received(100_000_000, seconds(599));

        assertThatItEndsAfter(Phase.CONTENT, 600, Exceeded.TOO_SLOW);
    }

    @Test
    void timeOfTheContentStandsStillWhileItWaitsForMemoryAndDoesNotBeginAnew() {
        deadlines.entered(Phase.CONTENT, 0);
        deadlines.received(100_000_000, seconds(299));
        deadlines.entered(Phase.MEMORY, seconds(300));
        deadlines.entered(Phase.CONTENT, seconds(1_000));
        deadlines.received(1, seconds(1_299));

        assertThatItEndsAfter(Phase.CONTENT, 1_300, Exceeded.TOO_SLOW);
    }

    @Test
    void idleTimeOfTheContentStandsStillWhileItWaitsForMemory() {
        deadlines.entered(Phase.CONTENT, 0);
        deadlines.received(100_000, seconds(100));
        deadlines.entered(Phase.MEMORY, seconds(100));
        deadlines.entered(Phase.CONTENT, seconds(200));

        assertThatItEndsAfter(Phase.CONTENT, 500, Exceeded.IDLE);
    }

    /** Or a wait would excuse what came too slowly before it. */
    @Test
    void rateOfTheContentIsThatOfTheTimeInWhichItWasRead() {
        deadlines.entered(Phase.CONTENT, 0);
        deadlines.received(4_000, seconds(1));
        deadlines.entered(Phase.MEMORY, seconds(10));
        deadlines.entered(Phase.CONTENT, seconds(1_000));

        assertThat(deadlines.exceeded(Phase.CONTENT, seconds(1_030))).isEqualTo(Exceeded.NONE);
        assertThat(deadlines.exceeded(Phase.CONTENT, seconds(1_031))).isEqualTo(Exceeded.TOO_SLOW);
    }

    @Test
    void contentThatBeginsWithAWaitForMemoryHasItsWholeTimeAfterIt() {
        deadlines.entered(Phase.MEMORY, seconds(100));
        deadlines.entered(Phase.CONTENT, seconds(200));
        deadlines.received(100_000_000, seconds(799));

        assertThatItEndsAfter(Phase.CONTENT, 800, Exceeded.TOO_SLOW);
    }

    @Test
    void nothingIsAskedOfTheClientWhileWeAreBusy() {
        deadlines.entered(Phase.BUSY, 0);

        assertThat(deadlines.exceeded(Phase.BUSY, seconds(10_000))).isEqualTo(Exceeded.NONE);
    }

    @Test
    void timeOfADeliveryIsNotTheClients() {
        deadlines.entered(Phase.BUSY, 0);
        deadlines.entered(Phase.COMMAND, seconds(400));

        assertThat(deadlines.exceeded(Phase.COMMAND, seconds(700))).isEqualTo(Exceeded.NONE);
    }

    @Test
    void clientThatDoesNotTakeOurLastWordsIsNotWaitedFor() {
        deadlines.closing(false, 0);

        assertThatItEndsAfter(Phase.CLOSED, 5, Exceeded.CLOSING);
    }

    @Test
    void clientThatStillSendsKeepsItsLastReplyUntilItIsSilent() {
        deadlines.closing(true, 0);
        deadlines.received(1, seconds(1));
        deadlines.received(1, seconds(2));

        assertThatItEndsAfter(Phase.CLOSED, 3, Exceeded.CLOSING);
    }

    @Test
    void clientThatNeverStopsSendingIsClosedAllTheSame() {
        deadlines.closing(true, 0);
        deadlines.received(1, seconds(5));

        assertThatItEndsAfter(Phase.CLOSED, 5, Exceeded.CLOSING);
    }

    private void assertThatItEndsAfter(Phase phase, long seconds, Exceeded how) {
        assertThat(deadlines.exceeded(phase, seconds(seconds))).isEqualTo(Exceeded.NONE);
        assertThat(deadlines.exceeded(phase, seconds(seconds) + 1)).isEqualTo(how);
    }

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
