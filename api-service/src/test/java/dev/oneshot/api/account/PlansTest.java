package dev.oneshot.api.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.testing.TestSettings;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan's limits must fit into an address id. */
class PlansTest {

    @ParameterizedTest
    @CsvSource({"64K,4K", "2M,128K", "2M,1M", "2M,2M", "8M,4M", "32M,24M", "64M,64M"})
    void limitsThatAnIdCarriesAreThePlans(String email, String attachment) {
        Plan plan = plan(email, attachment);

        assertThat(plan.sizeClass().messageBytesMax()).isEqualTo(bytes(email));
        assertThat(plan.sizeClass().attachmentBytesMax()).isEqualTo(bytes(attachment));
    }

    @ParameterizedTest
    @CsvSource({"2M,0", "2M,131071", "2M,131073", "2M,1000000", "2M,2097153", "2M,2228224", "2M,4096M"})
    void attachmentThatAnIdCannotCarryStopsTheStartWithItsKey(String email, String attachment) {
        assertThatThrownBy(() -> plan(email, attachment))
                .hasMessage("oneshot.plans.own.max-attachment: the largest attachment must be a multiple of 131072"
                        + " bytes, which is a sixteenth of the largest e-mail, up to 2097152, not "
                        + bytes(attachment));
    }

    @ParameterizedTest
    @CsvSource({"3M,1M", "32K,1K", "128M,1M"})
    void emailThatAnIdCannotCarryStopsTheStartWithItsKey(String email, String attachment) {
        assertThatThrownBy(() -> plan(email, attachment))
                .hasMessage("oneshot.plans.own.max-email: the largest e-mail must be a power of two from 65536 to"
                        + " 67108864 bytes, not " + bytes(email));
    }

    private static Plan plan(String email, String attachment) {
        Plans.Config config = TestSettings.of(
                Plans.Config.class,
                "plans.own.addresses-per-month=1",
                "plans.own.max-ttl=PT1H",
                "plans.own.max-email=" + email,
                "plans.own.max-attachment=" + attachment,
                "plans.own.requests-per-second=1",
                "plans.own.burst=1");
        return new Plans(config).find("own").orElseThrow();
    }

    private static long bytes(String size) {
        return new MemorySizeConverter().convert(size).asLongValue();
    }
}
