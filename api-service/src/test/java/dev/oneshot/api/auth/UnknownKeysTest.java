package dev.oneshot.api.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.account.SampleKeys;
import dev.oneshot.api.http.ClientNetwork;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnknownKeysTest {

    private static final ClientNetwork CLIENT = ClientNetwork.parse("192.0.2.1");

    private record Config(int perSecond, int burst, int entries) implements UnknownKeyConfig {}

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 100);
    private final UnknownKeys unknownKeys = new UnknownKeys(new Config(10, 3, 1_000), nanos::get);

    @Test
    void afterTheBurstKeysAreRefusedUntilThereIsRoomAgain() {
        for (int i = 0; i < 3; i++) {
            assertThat(unknownKeys.enter(CLIENT, key())).isEmpty();
        }

        assertThat(unknownKeys.enter(CLIENT, key())).contains(Duration.ofMillis(100));
        nanos.addAndGet(Duration.ofMillis(100).toNanos());
        assertThat(unknownKeys.enter(CLIENT, key())).isEmpty();
        assertThat(unknownKeys.enter(CLIENT, key())).isPresent();
    }

    @Test
    void validKeysAreNotCounted() {
        for (int i = 0; i < 100; i++) {
            ApiKey.Hash valid = key();
            assertThat(unknownKeys.enter(CLIENT, valid)).isEmpty();
            unknownKeys.wasValid(CLIENT, valid);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2:ffff::1, true",
        "2001:db8:1:2::1, 2001:db8:1:3::1, false",
        "::ffff:192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false"
    })
    void clientIsAnIpv4AddressOrAnIpv6Network(String one, String other, boolean same) {
        assertThat(ClientNetwork.parse(one).equals(ClientNetwork.parse(other))).isEqualTo(same);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, per-second",
        "100001, 1, 1, per-second",
        "1, 0, 1, burst",
        "1, 100001, 1, burst",
        "1, 1, 0, entries"
    })
    void settingsOutOfRangeStopTheStart(int perSecond, int burst, int entries, String name) {
        assertThatThrownBy(() -> new UnknownKeys(new Config(perSecond, burst, entries), nanos::get))
                .hasMessageContaining("oneshot.unknown-keys." + name);
    }

    private static ApiKey.Hash key() {
        return SampleKeys.unsigned().sha256();
    }
}
