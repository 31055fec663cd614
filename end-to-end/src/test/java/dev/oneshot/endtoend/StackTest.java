package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.Sql;
import java.time.Duration;
import java.util.concurrent.ForkJoinWorkerThread;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test on the stack that all tests share, with an account of its own. */
@ExtendWith(SharedStack.class)
abstract class StackTest {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration PAUSE_MAX = Duration.ofMillis(320);

    static {
        setWaits();
    }

    LocalStack stack;
    Account account;

    /** How long tests await a condition, and how often they check it. The services work at each check, so pauses grow. */
    static void setWaits() {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(3));
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(
                pause -> pause.compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : pause, FIRST_PAUSE));
    }

    /** A fork-join pool starts the last class first, and starts none while a class waits for the lock of the stack. */
    @BeforeAll
    static void classesAreTakenInOrder() {
        assertThat(Thread.currentThread()).isNotInstanceOf(ForkJoinWorkerThread.class);
    }

    @BeforeEach
    void createAccount(LocalStack shared) {
        stack = shared;
        account = Account.create(shared);
    }

    /** The database of the stack, accessed without the services. */
    Sql database() {
        return new Sql(stack.database().source(LocalPostgres.NAME));
    }

    /** Sets how many addresses of the cycle's allocation an account has used. */
    void use(Account used, int addresses) {
        database().execute("UPDATE account SET used = ? WHERE id = ?::uuid", addresses, used.id());
    }
}
