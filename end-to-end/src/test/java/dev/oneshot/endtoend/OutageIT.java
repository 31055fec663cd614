package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import dev.oneshot.endtoend.MailLoad.Event;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.SmtpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The promises hold when a part is killed by {@code kill -9}, or stops in the middle. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class OutageIT extends StackTest {

    @Test
    void aBrokerKilledDuringDataIs451AndNothingIsHalfStored() throws Exception {
        byte[] lost = TestMail.of("Lost with the broker", 200_000).octets();
        byte[] again = TestMail.of("Sent again", 200_000).octets();
        String id = account.createAddress();
        try (SmtpClient dialogue = Account.smtp(stack)) {
            assertThat(dialogue.begin(Account.mailbox(id))).startsWith("354");
            dialogue.content(Arrays.copyOfRange(lost, 0, lost.length / 2));

            stack.killKafka();

            dialogue.content(Arrays.copyOfRange(lost, lost.length / 2, lost.length));
            assertThat(dialogue.say(".")).startsWith("451");
        }
        assertThat(account.get(id, "").<String>path("status")).isEqualTo("waiting");
        stack.startKafka();
        await().until(() -> Account.deliver(stack, id, again).startsWith("250"));
        account.awaitMail(id);
        JourneyIT.assertRawEndsWith(account.octets(id, "/email/raw"), again);
    }

    @Test
    void aMailIsNotVisibleUntilAllOfItIsStored() throws Exception {
        TestMail mail = TestMail.of("Not half of it", 100_000);
        String id = account.createAddress();
        String unlocked = "SELECT count(*) FROM (SELECT FROM address WHERE id = ? FOR UPDATE SKIP LOCKED) AS address";
        try (DatabaseGate content = new DatabaseGate(database(), "mail", "INSERT")) {
            assertThat(Account.deliver(stack, id, mail.octets())).startsWith("250");
            await().until(content::holds);
            assertThat(database().number(unlocked, id))
                    .as("the status is changed, but not committed")
                    .isZero();

            assertThat(account.get(id, "").<String>path("status")).isEqualTo("waiting");
            for (String path : List.of("/email", "/email/raw", "/email/attachments/0")) {
                account.get(id, path).then().statusCode(404);
            }
        }
        account.awaitMail(id);
        JourneyIT.assertRawEndsWith(account.octets(id, "/email/raw"), mail.octets());
    }

    @Test
    void mailsThatArriveWhileTheApiIsDeadAreAllReadable() throws Exception {
        MailLoad load = new MailLoad(4, stack.settings().port(Port.SMTP));
        for (int i = 0; i < 60; i++) {
            load.add(account.createAddress(), TestMail.of("Mail " + i, 5000).octets());
        }

        load.send(() -> {
            await().pollInterval(Duration.ofMillis(5)).until(() -> load.count(Event.ACCEPTED) >= 20);
            stack.kill(Service.API);
            return null;
        });

        assertThat(load.codes()).containsExactly(entry("250", 60));
        stack.start(Service.API);
        stack.awaitReady(Service.API);

        load.mails().forEach(mail -> {
            account.awaitMail(mail.addressId());
            JourneyIT.assertRawEndsWith(account.octets(mail.addressId(), "/email/raw"), mail.octets());
        });
    }
}
