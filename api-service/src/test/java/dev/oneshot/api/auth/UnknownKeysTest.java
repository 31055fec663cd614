package dev.oneshot.api.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.account.SampleKeys;
import dev.oneshot.api.http.ClientNetwork;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnknownKeysTest {

    private static final ClientNetwork CLIENT = new ClientNetwork("192.0.2.1");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 100);
    private final UnknownKeys unknownKeys = new UnknownKeys(nanos::get);

    @Test
    void afterTheBurstKeysAreRefusedUntilThereIsRoomAgain() {
        for (int i = 0; i < 50; i++) {
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

    private static ApiKey.Hash key() {
        return SampleKeys.unsigned().sha256();
    }
}
