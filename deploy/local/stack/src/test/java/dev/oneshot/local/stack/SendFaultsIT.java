package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What a 201 to a send promises when a service is killed, as by {@code kill -9}, at each step of the way: the mail is
 * settled, and sent once; twice only between the relay's 250 and the commit, and then with the same Message-ID.
 */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class SendFaultsIT {

    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(60);
    private static final String SOMEBODY = "somebody@recipient.example";

    private final LocalStack stack;
    private final Account account;
    private final HoldingRelay relay;

    SendFaultsIT(LocalStack stack) throws IOException {
        this.stack = stack;
        this.account = Account.create(stack);
        this.relay = new HoldingRelay();
    }

    @BeforeEach
    void stopTheMailerOfTheStack() {
        stack.stop(Service.MAILER);
    }

    @AfterEach
    void startItAgain() throws IOException {
        relay.close();
        stack.start(Service.MAILER);
        stack.awaitReady(Service.MAILER);
    }

    @Test
    void aMailerIsKilledBeforeTheDataAndAfterTheRelays250() throws Exception {
        try (Replica mailer = mailer()) {
            String settledBefore = send(SOMEBODY);
            awaitOutcome(settledBefore);
            String beforeData = send(HoldingRelay.BEFORE_DATA);
            String after250 = send(HoldingRelay.BEFORE_250);
            await().atMost(STEP_TIMEOUT)
                    .until(() -> relay.hasHeld(HoldingRelay.BEFORE_DATA) && relay.hasHeld(HoldingRelay.BEFORE_250));

            mailer.kill();
            relay.release();
            await().atMost(STEP_TIMEOUT).until(() -> relay.taken(after250).size() == 1);
            String whileDead = send(SOMEBODY);
            mailer.restart();

            for (String id : List.of(settledBefore, beforeData, after250, whileDead)) {
                assertThat(awaitOutcome(id)).isEqualTo("relayed");
            }
            assertThat(relay.taken(settledBefore)).hasSize(1);
            assertThat(relay.taken(beforeData)).hasSize(1);
            assertThat(relay.taken(whileDead)).hasSize(1);
            assertThat(relay.taken(after250)).hasSize(2);
            assertThat(relay.taken(after250).stream()
                            .map(HoldingRelay.Mail::digest)
                            .distinct())
                    .as("both copies are the same octets, their Message-ID among them")
                    .hasSize(1);
            assertThat(relay.taken(after250).getFirst().messageId()).contains(after250);
            System.out.println(
                    "a mailer was killed: 4 mails, none lost, 1 sent twice: between the relay's 250 and the commit");
        }
    }

    @Test
    void anApiServiceIsKilledBeforeAndAfterThePublicationAndWhileItRecordsAnEnd() throws Exception {
        try (Replica _ = mailer()) {
            String published;
            String unpublished;
            try (DatabaseGate recording = new DatabaseGate(stack, "send_settlement", "INSERT");
                    DatabaseGate removal = new DatabaseGate(stack, "outbox", "DELETE")) {
                published = send(SOMEBODY);
                await().atMost(STEP_TIMEOUT).until(() -> removal.holds() && recording.holds());
                unpublished = send(SOMEBODY);

                stack.kill(Service.API);
            }
            assertThat(relay.taken(published)).hasSize(1);
            assertThat(relay.taken(unpublished)).isEmpty();
            stack.start(Service.API);
            stack.awaitReady(Service.API);

            assertThat(awaitOutcome(published)).isEqualTo("relayed");
            assertThat(awaitOutcome(unpublished)).isEqualTo("relayed");
            assertThat(relay.taken(published)).hasSize(1);
            assertThat(relay.taken(unpublished)).hasSize(1);
            System.out.println("an api-service was killed: 2 mails, none lost, none sent twice");
        }
    }

    private Replica mailer() throws IOException {
        return Replica.of(stack, Service.MAILER, Map.of("ONESHOT_RELAY_PORT", Integer.toString(relay.port())));
    }

    private String send(String to) {
        return account.send(Map.of("to", to, "subject", "Faults", "text_body", "Hello"));
    }

    private String awaitOutcome(String id) {
        return Operator.of(stack).awaitOutcome(id);
    }
}
