package dev.oneshot.ingest.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessageMemoryTest {

    private final MessageMemory memory = new MessageMemory(100);

    @Test
    void allOfTheBudgetCanBeReservedAndNoOctetMore() {
        assertThat(memory.reserve(60)).isTrue();
        assertThat(memory.reserve(40)).isTrue();
        assertThat(memory.reserve(1)).isFalse();
        assertThat(memory.reserved()).isEqualTo(100);
    }

    @Test
    void whatIsReleasedCanBeReservedAgain() {
        assertThat(memory.reserve(100)).isTrue();

        memory.release(30);

        assertThat(memory.reserve(31)).isFalse();
        assertThat(memory.reserve(30)).isTrue();
    }

    @Test
    void absurdDemandsAreRefused() {
        assertThat(memory.reserve(1)).isTrue();
        assertThat(memory.reserve(Long.MAX_VALUE)).isFalse();
    }
}
