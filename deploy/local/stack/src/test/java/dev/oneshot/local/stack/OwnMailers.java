package dev.oneshot.local.stack;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** For tests with mailers of their own instead of the stack's, which send to a relay that the test holds. */
abstract class OwnMailers {

    /** Longer than a lease, and the time until its end is known to be without a result. */
    static final Duration STEP_TIMEOUT = Duration.ofMinutes(2);

    final LocalStack stack;
    final Account account;
    final HoldingRelay relay;

    OwnMailers(LocalStack stack) throws IOException {
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

    /** One more of them. */
    Replica mailer() throws IOException {
        return Replica.of(stack, Service.MAILER, Map.of("ONESHOT_RELAY_PORT", Integer.toString(relay.port())));
    }

    /** Asks for a mail to be sent; answers the id of its address. */
    String send(String to) {
        return account.send(Map.of("to", to, "subject", "Hello", "text_body", "Hello"));
    }

    String awaitOutcome(String id) {
        return Operator.of(stack).awaitOutcome(id);
    }
}
