package dev.oneshot.expiry.sweep;

import dev.oneshot.expiry.SettingsReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepConfigTest {

    @ParameterizedTest
    @CsvSource({
        "period, 999ms, 1s, 1m, 61s",
        "forget-period, 999ms, 1s, 24h, 86401s",
        "batch-size, 0, 1, 10000, 10001",
        "batch-bytes, 0, 1, 1073741824, 1073741825",
        "parallelism, 0, 1, 8, 9",
        "listed-for, 59s, 1m, 3650d, 3651d",
        "settled-sends-kept, 59s, 1m, 3650d, 3651d"
    })
    void everySettingHasBoundsAndTheMessageNamesIt(
            String name, String tooSmall, String smallest, String largest, String tooLarge) {
        SettingsReader.assertBounds("oneshot.expiry." + name, tooSmall, smallest, largest, tooLarge);
    }
}
