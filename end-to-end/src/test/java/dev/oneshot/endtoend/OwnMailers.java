package dev.oneshot.endtoend;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.testing.HoldingScript;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Tests with their own mailers in place of the stack's, and a relay that they control. Other tests must not send at the same
 * time.
 */
@ResourceLock(value = OwnMailers.LOCK, mode = ResourceAccessMode.READ_WRITE)
abstract class OwnMailers extends StackTest {

    /** The lock: READ while a test sends mail or needs the mailer of the stack. */
    static final String LOCK = "mailer";

    final HoldingScript script = new HoldingScript();
    final ScriptedRelay relay = new ScriptedRelay(script);

    @BeforeAll
    static void stopTheMailerOf(LocalStack stack) {
        stack.stop(Service.MAILER);
    }

    @AfterEach
    void closeRelay() throws IOException {
        script.release();
        relay.close();
    }

    @AfterAll
    static void startTheMailerOf(LocalStack stack) {
        stack.start(Service.MAILER);
        stack.awaitReady(Service.MAILER);
    }

    /** Starts another mailer, with further settings. */
    Replica mailer(String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of("ONESHOT_RELAY_PORT=" + relay.port()));
        all.addAll(List.of(settings));
        return Replica.of(stack, Service.MAILER, all.toArray(String[]::new));
    }

    /** Requests a mail to be sent; returns the id of its address. */
    String send(String to) {
        return account.send(Map.of("to", to, "subject", "Hello", "text_body", "Hello"));
    }

    String awaitOutcome(String id) {
        return Operator.of(stack).awaitOutcome(id);
    }
}
