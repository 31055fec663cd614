package dev.oneshot.endtoend;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** For tests with their own mailers instead of the stack's, sending to a relay that the test controls. */
abstract class OwnMailers {

    /** Longer than a lease and the time until its end is noticed. */
    static final Duration STEP_TIMEOUT = Duration.ofMinutes(2);

    final LocalStack stack;
    final Account account;
    final HoldingScript script = new HoldingScript();
    final ScriptedRelay relay = new ScriptedRelay(script);

    OwnMailers(LocalStack stack) {
        this.stack = stack;
        this.account = Account.create(stack);
    }

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

    /** Starts another mailer. */
    Replica mailer() throws IOException {
        return Replica.of(stack, Service.MAILER, Map.of("ONESHOT_RELAY_PORT", Integer.toString(relay.port())));
    }

    /** Requests a mail to be sent; returns the id of its address. */
    String send(String to) {
        return account.send(Map.of("to", to, "subject", "Hello", "text_body", "Hello"));
    }

    String awaitOutcome(String id) {
        return Operator.of(stack).awaitOutcome(id);
    }
}
