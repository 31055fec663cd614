package dev.oneshot.api.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.SlowReader;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMail;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.testing.LogLines;
import io.restassured.RestAssured;
import java.io.IOException;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Mail that is deleted during its download. */
@ServiceTest
class CutDownloadTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void deletionEndsADownloadBeforeItsLengthSays() throws IOException {
        String id = account.waitingAddress(600);
        MailInbound mail = TestMail.large(id);
        account.receive(mail);
        try (LogLines log = LogLines.of("dev.oneshot");
                SlowReader reader =
                        SlowReader.get(RestAssured.port, "/v1/addresses/" + id + "/email/raw", account.apiKey())) {
            assertThat(reader.status()).isEqualTo("HTTP/1.1 200");

            account.request().delete("/v1/addresses/" + id).then().statusCode(204);

            assertThat(reader.octetsUntilTheEnd()).isLessThan(mail.raw().length());
            assertThat(log.lines())
                    .filteredOn(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
                    .isEmpty();
        }
    }
}
