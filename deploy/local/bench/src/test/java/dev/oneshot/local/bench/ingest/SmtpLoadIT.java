package dev.oneshot.local.bench.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.api.HttpConnection;
import dev.oneshot.local.bench.system.Ceilings;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The load clients against the packaged server of the ceilings. */
class SmtpLoadIT {

    private static Ceilings ceilings;

    @BeforeAll
    static void start(@TempDir Path logs) throws Exception {
        LocalKafka kafka = TemporaryBackends.kafka();
        Path project = Path.of(System.getProperty("oneshot.project"));
        ceilings = Ceilings.start(project, logs, kafka.bootstrapServers(), TemporaryBackends.ADDRESS_KEY);
    }

    @AfterAll
    static void stop() {
        ceilings.close();
    }

    @ParameterizedTest
    @EnumSource(SmtpMode.class)
    void everyMessageIsAcceptedInEveryMode(SmtpMode mode) throws Exception {
        Supplier<String> recipients = Recipients.signed(TemporaryBackends.ADDRESS_KEY);
        byte[] content = SampleMessage.content(10_240);

        Outcome outcome =
                SmtpLoad.of(5, ceilings.smtpPort(), mode, content, recipients).peak(Duration.ofMinutes(1), 100);

        assertThat(outcome.done()).isEqualTo(100);
        assertThat(outcome.refused()).isZero();
    }

    @Test
    void anUnknownRecipientEndsTheMeasurement() {
        Supplier<String> unknown = Recipients.created(List.of("aaaaaaaaaaaaaaaaaaaaaaaa"));
        Load<?> load = SmtpLoad.of(1, ceilings.smtpPort(), SmtpMode.KEPT, SampleMessage.content(2048), unknown);

        assertThatThrownBy(() -> load.peak(Duration.ofMinutes(1), 1))
                .rootCause()
                .isInstanceOf(ProtocolException.class)
                .hasMessageStartingWith("expected 250, not 550 5.1.1 ");
    }

    @Test
    void theEmptyEndpointResponds() throws IOException {
        byte[] request = HttpConnection.request("GET", "/empty", "none", "");
        try (HttpConnection connection = new HttpConnection(ceilings.httpPort())) {
            connection.exchange(request, 200);

            assertThat(connection.body()).isEqualTo("{}");
        }
    }
}
