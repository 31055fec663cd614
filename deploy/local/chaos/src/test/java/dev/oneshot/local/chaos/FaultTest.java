package dev.oneshot.local.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultTest {

    @ParameterizedTest
    @EnumSource
    void eachHasAName(Fault fault) {
        assertThat(Fault.named(fault.word())).isEqualTo(fault);
    }

    @Test
    void anUnknownNameIsRefusedWithTheNamesThatThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fault.named("broker-killd"))
                .withMessageStartingWith("no such fault: broker-killd; there are none, broker-killed, leader-killed");
    }
}
