package dev.oneshot.expiry.partition;

import dev.oneshot.expiry.SettingsReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionConfigTest {

    @ParameterizedTest
    @CsvSource({
        "period, 999ms, 1s, 1h, 3601s",
        "ahead, 89999s, 25h, 31d, 2678401s",
        "drop-delay, -PT1S, 0s, 24h, 86401s",
        "lock-timeout, 0s, 1ms, 10s, 10001ms"
    })
    void everySettingHasBoundsAndTheMessageNamesIt(
            String name, String tooSmall, String smallest, String largest, String tooLarge) {
        SettingsReader.assertBounds("oneshot.expiry.partition." + name, tooSmall, smallest, largest, tooLarge);
    }
}
