package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.endtoend.MailLoad.Event;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The promise of a 250, with two ingest nodes under load while a part is killed by {@code kill -9}: the mail is
 * readable, once, with its own bytes. Every other mail was refused and sent again.
 */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsUnderLoadIT extends StackTest {

    private static final int MAILS = 300;
    private static final int ACCEPTED_BEFORE_FAULT = MAILS / 4;
    private static final int SENT_AFTER_FAULT = MAILS / 3;
    private static final int MAIL_BYTES = 1_500;
    private static final int CLIENTS = 8;
    /** Two mails for one address count twice. */
    private static final String STORED = "SELECT count(*) FROM mail WHERE piece = 0 AND address_id = ANY (?)";

    private List<Account> accounts = List.of();
    private Replica ingest;

    @BeforeAll
    void startAnotherIngestNode(LocalStack stack) throws IOException {
        accounts = List.of(Account.create(stack), Account.create(stack), Account.create(stack));
        ingest = Replica.of(stack, Service.INGEST);
    }

    @AfterAll
    void stopTheOtherIngestNode() {
        ingest.close();
    }

    @Test
    void anIngestNodeIsKilledAndComesBack() throws Exception {
        MailLoad load = load();

        load.send(() -> {
            awaitCount(load, Event.ACCEPTED, ACCEPTED_BEFORE_FAULT);
            ingest.kill();
            load.release();
            awaitCount(load, Event.UNREACHABLE, 1);
            ingest.restart();
            return null;
        });

        assertEachIsReadableOnce(load);
    }

    @Test
    void kafkaIsKilledAndComesBack() throws Exception {
        MailLoad load = load();

        load.send(() -> {
            awaitCount(load, Event.ACCEPTED, ACCEPTED_BEFORE_FAULT);
            stack.killKafka();
            load.release();
            awaitCount(load, Event.REFUSED_FOR_NOW, 1);
            stack.startKafka();
            return null;
        });

        assertEachIsReadableOnce(load);
    }

    @Test
    void apiServiceIsKilledAndTheOtherOneContinues() throws Exception {
        try (Replica api = Replica.of(stack, Service.API)) {
            MailLoad load = load();

            load.send(() -> {
                awaitCount(load, Event.ACCEPTED, ACCEPTED_BEFORE_FAULT);
                api.kill();
                load.release();
                return null;
            });

            assertThat(load.count(Event.ACCEPTED)).isEqualTo(MAILS);
            assertEachIsReadableOnce(load);
        }
    }

    private MailLoad load() throws Exception {
        MailLoad load = new MailLoad(CLIENTS, stack.settings().port(Port.SMTP), ingest.port());
        load.hold(SENT_AFTER_FAULT);
        String[] ids = new String[MAILS];
        IntStream.range(0, MAILS).parallel().forEach(i -> ids[i] = account(i).createAddress());
        for (int i = 0; i < MAILS; i++) {
            load.add(ids[i], TestMail.of("Under load " + i, MAIL_BYTES).octets());
        }
        return load;
    }

    private void assertEachIsReadableOnce(MailLoad load) throws Exception {
        assertThat(load.count(Event.ACCEPTED) + load.count(Event.ALREADY_THERE)).isEqualTo(MAILS);
        Object ids = load.mails().stream().map(MailLoad.Mail::addressId).toArray(String[]::new);
        await().until(() -> database().number(STORED, ids) >= MAILS);
        IntStream.range(0, MAILS).parallel().forEach(i -> {
            MailLoad.Mail mail = load.mails().get(i);
            JourneyIT.assertRawEndsWith(account(i).octets(mail.addressId(), "/email/raw"), mail.octets());
        });
        assertThat(database().number(STORED, ids)).isEqualTo(MAILS);
        System.out.printf("%s; readable once with their own bytes: %d%n", load, MAILS);
    }

    private Account account(int index) {
        return accounts.get(index % accounts.size());
    }

    private static void awaitCount(MailLoad load, Event event, int count) {
        await().pollInterval(Duration.ofMillis(5))
                .untilAsserted(
                        () -> assertThat(load.count(event)).as("%s", load).isGreaterThanOrEqualTo(count));
    }
}
