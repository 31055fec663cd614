package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The promises hold when a part is killed by {@code kill -9}. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class OutageIT extends StackTest {

    @Test
    void aBrokerKilledDuringDataIs451AndNothingIsHalfStored() throws Exception {
        byte[] lost = Letter.of("Lost with the broker", 200_000).octets();
        byte[] again = Letter.of("Sent again", 200_000).octets();
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
    void mailsThatArriveWhileTheApiIsDeadAreAllReadable() throws Exception {
        Map<String, byte[]> mails = new LinkedHashMap<>();
        for (int i = 0; i < 60; i++) {
            mails.put(account.createAddress(), Letter.of("Mail " + i, 5000).octets());
        }
        CountDownLatch someAreSent = new CountDownLatch(20);

        try (ExecutorService senders = Executors.newFixedThreadPool(4)) {
            List<Future<String>> replies = new ArrayList<>();
            mails.forEach((id, mail) -> replies.add(senders.submit(() -> send(id, mail, someAreSent))));
            someAreSent.await();
            stack.kill(Service.API);
            for (Future<String> reply : replies) {
                assertThat(reply.get()).startsWith("250");
            }
        }
        stack.start(Service.API);
        stack.awaitReady(Service.API);

        mails.forEach((id, mail) -> {
            account.awaitMail(id);
            JourneyIT.assertRawEndsWith(account.octets(id, "/email/raw"), mail);
        });
    }

    private String send(String id, byte[] mail, CountDownLatch sent) throws IOException {
        String reply = Account.deliver(stack, id, mail);
        sent.countDown();
        return reply;
    }
}
