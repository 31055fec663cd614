package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.Together;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A mail goes from SMTP to REST on the packaged services. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class JourneyIT extends StackTest {

    @Test
    void aMailIsReadBackAsItWasSentUntilItIsDeleted() throws IOException {
        TestMail mail = TestMail.of("As it was sent", 0, 1, 100_000);
        String id = account.createAddress();
        assertThat(account.get(id, "").<String>path("status")).isEqualTo("waiting");
        account.get(id, "/email").then().statusCode(404);

        assertThat(Account.deliver(stack, id, mail.octets())).startsWith("250");

        account.awaitMail(id);
        assertIsReadBack(id, mail);
        account.delete(id).then().statusCode(204);
        for (String path : List.of("", "/email", "/email/raw", "/email/attachments/0")) {
            account.get(id, path).then().statusCode(404);
        }
    }

    @Test
    void anAttachmentAsLargeAsThePlanAllowsIsTakenAndListedAndALargerOneIsNot() throws IOException {
        Account pro = Account.create(stack, "pro");
        int attachmentBytesMax = 4 * 1024 * 1024;
        String id = pro.createAddress();

        String larger = Account.deliver(
                stack, id, TestMail.of("Too large", 1, attachmentBytesMax + 1).octets());
        String allowed = Account.deliver(
                stack,
                id,
                TestMail.of("As large as allowed", 1, attachmentBytesMax).octets());

        assertThat(larger).startsWith("552 5.3.4 Attachment too large: at most 4194304 octets are taken");
        assertThat(allowed).startsWith("250");
        pro.awaitMail(id);
        await().untilAsserted(() -> assertThat(pro.get(id, "/email").<List<Integer>>path("attachments.size_bytes"))
                .containsExactly(1, attachmentBytesMax));
    }

    @Test
    void aSecondMailIsRefusedAndTheFirstStays() throws IOException {
        TestMail first = TestMail.of("The first");
        String id = account.createAddress();
        assertThat(Account.deliver(stack, id, first.octets())).startsWith("250");
        account.awaitMail(id);

        Account.awaitRefusal(stack, id, "550 5.2.1");

        assertIsReadBack(id, first);
    }

    @Test
    void anExpiredAddressIsGoneForItsReadersAndItsMailFromTheDisk() throws Exception {
        String id = account.createAddress(60);
        assertThat(Account.deliver(stack, id, TestMail.of("For a minute", 1000).octets()))
                .startsWith("250");
        account.awaitMail(id);
        Instant expiresAt = Instant.parse(account.get(id, "").<String>path("expires_at"));
        String mails = "SELECT count(*) FROM mail WHERE address_id = ?";
        assertThat(database().number(mails, id)).isEqualTo(1);

        await().until(() -> account.get(id, "").statusCode() == 410);

        assertThat(Instant.now()).isAfterOrEqualTo(expiresAt);
        account.get(id, "/email").then().statusCode(410);
        account.get(id, "/email/raw").then().statusCode(410);
        await().until(() -> database().number(mails, id) == 0);
        assertThat(Account.deliver(stack, id, TestMail.of("Too late").octets())).startsWith("550");
    }

    @Test
    void fourMailsOf20MebibytesAtOncePassThrough() throws Exception {
        int half = 7_700_000; // two attachments in base64 are about 20 MiB

        Together.each(List.of(1, 2, 3, 4), number -> {
            TestMail mail = TestMail.of("Large " + number, half, half);
            String id = account.createAddress();
            assertThat(Account.deliver(stack, id, mail.octets())).startsWith("250");
            account.awaitMail(id);
            assertIsReadBack(id, mail);
            return id;
        });
    }

    private void assertIsReadBack(String id, TestMail mail) {
        JsonPath email =
                account.get(id, "/email").then().statusCode(200).extract().jsonPath();
        assertThat(email.getString("from")).contains("ada@example.org");
        assertThat(email.getString("to")).isEqualTo(id + "@in.oneshot.localhost");
        assertThat(email.getString("subject")).isEqualTo(mail.subject());
        assertThat(email.getString("text_body").replace("\r\n", "\n"))
                .isEqualTo(mail.text().replace("\r\n", "\n"));
        assertThat(email.getString("html_body").replace("\r\n", "\n"))
                .isEqualTo(mail.html().replace("\r\n", "\n"));
        assertThat(email.getList("attachments")).hasSize(mail.attachments().size());
        for (int i = 0; i < mail.attachments().size(); i++) {
            assertThat(email.getString("attachments[" + i + "].filename")).isEqualTo(TestMail.filename(i));
            String url = email.getString("attachments[" + i + "].download_url");
            assertThat(url).isEqualTo("/addresses/" + id + "/email/attachments/" + i);
            boolean same = Arrays.equals(
                    account.octets(id, "/email/attachments/" + i),
                    mail.attachments().get(i));
            assertThat(same).as("attachment %d is what was sent", i).isTrue();
        }
        assertRawEndsWith(account.octets(id, "/email/raw"), mail.octets());
    }

    /**
     * The server's trace fields precede the message (RFC 5321 §4.4). An empty line follows them only if the message
     * begins with a blank, which would continue the last field (RFC 5322 §2.2.3).
     */
    static void assertRawEndsWith(byte[] raw, byte[] sent) {
        int added = raw.length - sent.length;
        assertThat(added).isPositive();
        boolean same = Arrays.equals(raw, added, raw.length, sent, 0, sent.length);
        assertThat(same).as("the raw mail ends with what was sent").isTrue();
        String apart = sent[0] == ' ' || sent[0] == '\t' ? "\r\n" : "";
        String front = new String(raw, 0, added, StandardCharsets.US_ASCII);
        assertThat(front).endsWith("\r\n" + apart);
        assertThat(front.substring(0, front.length() - apart.length()))
                .startsWith("Return-Path: <ada@example.org>")
                .contains("\r\nReceived: ")
                .endsWith("\r\n")
                .doesNotContain("\r\n\r\n");
    }
}
