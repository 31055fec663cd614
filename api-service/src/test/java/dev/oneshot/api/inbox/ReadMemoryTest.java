package dev.oneshot.api.inbox;

import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.testing.SlowReader;
import io.restassured.RestAssured;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client requests on one connection without reading it: many responses wait in memory, and all of them are counted. */
@ServiceTest
class ReadMemoryTest {

    private static final String RESERVED = "oneshot_inbox_read_small_memory_reserved_bytes";

    private static final Pattern RESPONSES =
            Pattern.compile("http_server_requests_seconds_count\\{.*uri=\"/v1/addresses.*");

    /** Fewer than may wait on a connection. */
    private static final int BATCH = 40;

    private static final Duration WAIT = Duration.ofMinutes(1);

    private final TestAccount account = TestAccount.onPlan("scale");

    /** One response has less than half of the bytes. */
    @ParameterizedTest
    @CsvSource({"/email, 80000", "/email/raw, 40000"})
    void mailIsCountedUntilItIsWritten(String path, int reservedMin) throws IOException {
        String id = account.received("Subject: s\n\n" + "a line of the text\n".repeat(400));

        assertThatResponsesAreCounted("/v1/addresses/" + id + path, reservedMin);
    }

    /** Of several frames, only the text and HTML are read. The response also has the header fields. */
    @Test
    void headerFieldsOfALargeMailAreCounted() throws IOException {
        String id = account.received("X: " + "a\n ".repeat(4_000) + "a\nContent-Type: application/pdf\n\n"
                + "a line of the attachment\n".repeat(20_000));

        assertThatResponsesAreCounted("/v1/addresses/" + id + "/email", 80_000);
    }

    @Test
    void pagesOfAddressesAreCounted() throws IOException {
        for (int i = 0; i < 20; i++) {
            account.labelledAddress("x".repeat(255));
        }

        assertThatResponsesAreCounted("/v1/addresses?limit=20", 80_000);
    }

    private void assertThatResponsesAreCounted(String path, int reservedMin) throws IOException {
        double before = TestMetrics.sum(RESPONSES);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                SlowReader reader = SlowReader.get(RestAssured.port, path, account.apiKey())) {
            int[] requests = {1};
            await().atMost(WAIT)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        if (TestMetrics.sum(RESPONSES) - before >= requests[0]) {
                            for (int i = 0; i < BATCH; i++) {
                                reader.again();
                            }
                            requests[0] += BATCH;
                        }
                        return TestMetrics.sum(RESERVED) >= reservedMin;
                    });

            var _ = threads.submit(reader::octetsUntilTheEnd);
            await().atMost(WAIT).until(() -> TestMetrics.sum(RESERVED) == 0);
        }
    }
}
