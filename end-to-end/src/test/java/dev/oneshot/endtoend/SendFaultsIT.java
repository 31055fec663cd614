package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.HoldingScript;
import dev.oneshot.testing.ScriptedRelay;
import dev.oneshot.testing.SmtpClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The promise of a 201 to a send, with a mailer killed by {@code kill -9} at each step, or without a relay: the mail is settled,
 * and sent once. It is sent twice, with the same Message-ID, only if the mailer is killed between the relay's 250 and its
 * record.
 */
@Order(2)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class SendFaultsIT extends OwnMailers {

    private static final String RECIPIENT = "recipient@recipient.example";

    @Test
    void aMailerIsKilledBeforeTheDataAndAfterTheRelays250() throws Exception {
        try (Replica mailer = mailer()) {
            String settledBefore = send(RECIPIENT);
            awaitOutcome(settledBefore);
            String beforeData = send(HoldingScript.BEFORE_DATA);
            String after250 = send(HoldingScript.BEFORE_250);
            await().until(() -> script.hasHeld(HoldingScript.BEFORE_DATA) && script.hasHeld(HoldingScript.BEFORE_250));

            mailer.kill();
            script.release();
            await().until(() -> relay.taken(after250).size() == 1);
            String whileDead = send(RECIPIENT);
            mailer.restart();

            for (String id : List.of(settledBefore, beforeData, after250, whileDead)) {
                assertThat(awaitOutcome(id)).isEqualTo("relayed");
            }
            assertThat(relay.taken(settledBefore)).hasSize(1);
            assertThat(relay.taken(beforeData)).hasSize(1);
            assertThat(relay.taken(whileDead)).hasSize(1);
            assertThat(relay.taken(after250)).hasSize(2);
            assertThat(relay.taken(after250).stream()
                            .map(ScriptedRelay.Mail::digest)
                            .distinct())
                    .as("both copies have the same bytes, also their Message-ID")
                    .hasSize(1);
            assertThat(relay.taken(after250).getFirst().messageId()).contains(after250);
        }
    }

    @Test
    void mailForThePostmasterReachesTheOperatorUnchangedOnceTheMailerIsBack() throws Exception {
        String content = "Subject: a complaint\r\n\r\n..dots\r\n.\u00FC\r\n";
        try (SmtpClient client = Account.smtp(stack)) {
            assertThat(client.send(
                            "ada@example.org",
                            List.of("Abuse", "postmaster@in.oneshot.localhost"),
                            content.getBytes(StandardCharsets.UTF_8)))
                    .startsWith("250 ");
        }

        try (Replica _ = mailer()) {
            await().until(() -> forTheOperator().size() == 1);
        }
        assertThat(forTheOperator().getFirst().from()).isEmpty();
        assertThat(forTheOperator().getFirst().data())
                .startsWith("Return-Path: <ada@example.org>\r\nReceived: from ")
                .endsWith("+0000\r\n" + content);
    }

    @Test
    void aMailWaitsWhileTheRelayIsDownAndIsSentWhenItIsBack() throws Exception {
        int port = LoopbackPorts.free();
        try (Replica _ = mailer(
                "ONESHOT_RELAY_PORT=" + port,
                "ONESHOT_MAILER_RETRY_FIRST_PAUSE=PT1S",
                "ONESHOT_MAILER_RETRY_LONGEST_PAUSE=PT1S")) {
            String id = send(RECIPIENT);
            await().until(() -> database().number("SELECT attempts FROM send_outbox WHERE address_id = ?", id) >= 2);
            assertThat(ends(id)).isEmpty();

            try (ScriptedRelay back = ScriptedRelay.at(port)) {
                assertThat(awaitOutcome(id)).isEqualTo("relayed");
                assertThat(back.taken(id)).hasSize(1);
            }
        }
    }

    @Test
    void aMailIsGivenUpAfterItsLastAttemptIfTheRelayStaysDown() throws Exception {
        try (Replica _ = mailer(
                "ONESHOT_RELAY_PORT=" + LoopbackPorts.free(),
                "ONESHOT_MAILER_RETRY_FIRST_PAUSE=PT0.1S",
                "ONESHOT_MAILER_RETRY_ATTEMPTS=3")) {
            String id = send(RECIPIENT);

            assertThat(awaitOutcome(id)).isEqualTo("given_up");

            assertThat(ends(id))
                    .singleElement()
                    .satisfies(
                            end -> assertThat(end).containsEntry("attempts", 3).containsEntry("failure", "connection"));
        }
    }

    /** What the operator reads of a send; empty while it waits. */
    private List<Map<String, Object>> ends(String id) {
        return Operator.of(stack).get("/operator/sends?address_id=" + id).path("items");
    }

    private List<ScriptedRelay.Mail> forTheOperator() {
        return relay.taken().stream()
                .filter(mail -> mail.to().equals("ops@operator.example"))
                .toList();
    }
}
