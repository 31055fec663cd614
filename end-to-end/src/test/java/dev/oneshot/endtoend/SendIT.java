package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A mail goes from a send-mode address to a receive-mode one, on the packaged services. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
@ResourceLock(value = OwnMailers.LOCK, mode = ResourceAccessMode.READ)
class SendIT extends StackTest {

    private static final String NOTIFICATION = """
        From: MAILER-DAEMON@relay.example
        Content-Type: multipart/report; boundary=b

        --b

        Your mail.
        --b
        Content-Type: message/delivery-status

        Reporting-MTA: dns; relay.example

        Final-Recipient: rfc822; %s
        Action: %s
        Status: %s

        --b--
        """.replace("\n", "\r\n");

    @Test
    void aSentMailIsReceivedAsRequested() {
        String receiver = account.createAddress();
        byte[] file = {0, 1, 2, -1, 13, 10, '.', 13, 10};

        String sender = account.send(Map.of(
                "to", receiver + "@in.oneshot.localhost",
                "subject", "Grüße 📬",
                "text_body", "Hallo,\n.Welt\n",
                "html_body", "<p>Hallö</p>",
                "attachments",
                        List.of(Map.of(
                                "filename", "日本.bin",
                                "content_type", "application/octet-stream",
                                "content_base64", Base64.getEncoder().encodeToString(file)))));

        account.awaitMail(receiver);
        account.get(receiver, "/email")
                .then()
                .statusCode(200)
                .body("from", equalTo(sender + "@out.oneshot.localhost"))
                .body("subject", equalTo("Grüße 📬"))
                .body("html_body", equalTo("<p>Hallö</p>"))
                .body("headers.'Message-ID'", equalTo("<" + sender + "@out.oneshot.localhost>"))
                .body("headers.'Auto-Submitted'", equalTo("auto-generated"))
                .body("attachments.size()", equalTo(1))
                .body("attachments[0].filename", equalTo("日本.bin"));
        assertThat(account.get(receiver, "/email").<String>path("text_body").lines())
                .containsExactly("Hallo,", ".Welt");
        assertThat(account.octets(receiver, "/email/attachments/0")).isEqualTo(file);
        assertThat(Operator.of(stack).awaitOutcome(sender)).isEqualTo("relayed");
    }

    @Test
    void aBounceIsListedForTheOperator() throws IOException {
        String recipient = account.createAddress() + "@in.oneshot.localhost";
        String sender = account.send(Map.of("to", recipient, "subject", "Hello"));
        Operator operator = Operator.of(stack);
        assertThat(operator.awaitOutcome(sender)).isEqualTo("relayed");

        try (SmtpClient relay = Account.smtp(stack)) {
            List<String> recipients = List.of(sender + "@out.oneshot.localhost");
            for (String notification : List.of(
                    NOTIFICATION.formatted(recipient, "delayed", "4.4.1"),
                    NOTIFICATION.formatted("other@example.org", "failed", "5.1.1"),
                    NOTIFICATION.formatted(recipient, "failed", "5.2.2"))) {
                assertThat(relay.send("", recipients, notification.getBytes(StandardCharsets.US_ASCII)))
                        .startsWith("250 ");
            }
        }

        String path = "/operator/sends?outcome=bounced&address_id=" + sender;
        await().until(() -> operator.get(path).<List<Object>>path("items").size() == 1);
        operator.get(path)
                .then()
                .body("items[0].enhanced_status", equalTo("5.2.2"))
                .body("items[0].reply_code", nullValue());
    }
}
