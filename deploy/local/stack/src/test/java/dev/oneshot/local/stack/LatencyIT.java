package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** How long a client waits; told, not judged, as it depends on the machine. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class LatencyIT {

    private static final int WARM_UP = 100;
    private static final int MEASURED = 100;

    private final LocalStack stack;
    private final Account account;

    LatencyIT(LocalStack stack) {
        this.stack = stack;
        this.account = Account.create(stack);
    }

    @Test
    void theTimeFromAcceptedToReceivedIsTold() throws IOException {
        long[] micros = new long[WARM_UP + MEASURED];
        for (int i = 0; i < micros.length; i++) {
            String id = account.createAddress();
            assertThat(SmtpDialogue.send(stack, id, Letter.of("Quick", 2000).octets()))
                    .startsWith("250");
            long accepted = System.nanoTime();
            while (!"received".equals(account.get(id, "").path("status"))) {
                assertThat(System.nanoTime() - accepted).isLessThan(60_000_000_000L);
            }
            micros[i] = (System.nanoTime() - accepted) / 1000;
        }

        long[] measured = Arrays.copyOfRange(micros, WARM_UP, micros.length);
        Arrays.sort(measured);
        System.out.printf(
                "from SMTP 250 to status received, polled: median %.1f ms, 95 of 100 within %.1f ms, longest %.1f ms%n",
                measured[MEASURED / 2] / 1000.0,
                measured[MEASURED * 95 / 100] / 1000.0,
                measured[MEASURED - 1] / 1000.0);
    }
}
