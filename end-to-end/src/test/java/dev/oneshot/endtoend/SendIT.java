package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A mail goes from a send-mode address to a receive-mode one, on the packaged services. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class SendIT {

    private final LocalStack stack;
    private final Account account;

    SendIT(LocalStack stack) {
        this.stack = stack;
        this.account = Account.create(stack);
    }

    @Test
    void aMailGoesRoundAndSaysWhatWasAskedFor() {
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
    void mailToAnUnknownAddressIsRefusedListedForTheOperatorAndABounceOfItIsRefusedPolitely() throws IOException {
        String sender = account.send(Map.of("to", "nobody@in.oneshot.localhost", "subject", "Hello"));

        assertThat(Operator.of(stack).awaitOutcome(sender)).isEqualTo("refused");
        try (SmtpClient bounce = Account.smtp(stack)) {
            assertThat(bounce.say("MAIL FROM:<>")).startsWith("250");
            assertThat(bounce.say("RCPT TO:<" + sender + "@out.oneshot.localhost>"))
                    .isEqualTo("550 5.7.1 Mail for this domain is not taken here");
            assertThat(bounce.say("RCPT TO:<" + sender + "@in.oneshot.localhost>"))
                    .startsWith("550 5.1.1 ");
        }
    }
}
