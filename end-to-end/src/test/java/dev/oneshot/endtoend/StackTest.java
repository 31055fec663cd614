package dev.oneshot.endtoend;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.junit.SharedStack;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test on the stack that all tests share, with an account of its own. */
@ExtendWith(SharedStack.class)
abstract class StackTest {

    static {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(3));
    }

    LocalStack stack;
    Account account;

    @BeforeEach
    void createAccount(LocalStack shared) {
        stack = shared;
        account = Account.create(shared);
    }
}
