package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The promise of a 201 to a send, with api-service killed by {@code kill -9} at each step: the mail is settled, and sent once. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class SendOutageIT extends OwnMailers {

    private static final String RECIPIENT = "recipient@recipient.example";

    @Test
    void anApiServiceIsKilledBeforeAndAfterThePublicationAndWhileItRecordsAnOutcome() throws Exception {
        try (Replica _ = mailer()) {
            String published;
            String unpublished;
            try (DatabaseGate recording = new DatabaseGate(database(), "send_settlement", "INSERT")) {
                published = send(RECIPIENT);
                await().until(recording::holds);
                try (DatabaseGate leasing = new DatabaseGate(database(), "send_outbox", "UPDATE")) {
                    unpublished = send(RECIPIENT);
                    await().until(leasing::holds);

                    stack.kill(Service.API);
                }
            }
            assertThat(relay.taken(published)).hasSize(1);
            assertThat(relay.taken(unpublished)).isEmpty();
            stack.start(Service.API);
            stack.awaitReady(Service.API);

            assertThat(awaitOutcome(published)).isEqualTo("relayed");
            assertThat(awaitOutcome(unpublished)).isEqualTo("relayed");
            assertThat(relay.taken(published)).hasSize(1);
            assertThat(relay.taken(unpublished)).hasSize(1);
        }
    }
}
