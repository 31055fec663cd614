package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.SlowReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The memory and duration of downloads whose clients do not read. It runs alone, as other tests could use up the time in which
 * others get their mail.
 */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowReadersIT extends StackTest {

    /** Each takes two chunks of 256 KiB, so all together take the 8 MiB below. */
    private static final int READERS = 16;
    /** Far more than the sockets' buffers hold. */
    private static final int OCTETS = 16 * 1024 * 1024;

    /** The text takes all of the memory, and far more than the sockets' buffers hold. */
    private static final int TEXT_OCTETS = 6 * 1024 * 1024;

    private static final int CROWD = 10;

    private static final String BROKEN_OFF = "oneshot_inbox_read_broken_off_total";
    private static final String RESERVED = "oneshot_inbox_read_memory_reserved_bytes";

    private Replica patient;
    private Replica impatient;

    @BeforeAll
    void start(LocalStack stack) throws IOException {
        // A slow machine needs more than the default wait of 5 s for one response. The tests judge by order.
        patient = Replica.of(stack, Service.API, "ONESHOT_INBOX_READ_MEMORY=8M", "ONESHOT_INBOX_READ_WAIT=PT60S");
        // Enough time for the first bytes of a service at its first request.
        impatient = Replica.of(stack, Service.API, "ONESHOT_INBOX_READ_TIME=PT15S", "ONESHOT_INBOX_READ_RATE_MIN=64M");
    }

    @AfterAll
    void stop() throws InterruptedException {
        patient.kill();
        impatient.kill();
    }

    @ParameterizedTest
    @ValueSource(strings = {"raw", "attachments/0"})
    void slowReadersOfAnAccountLoseTheirMemoryToAnotherAccount(String part) throws IOException {
        String id = received(account);
        Account other = Account.create(stack).at(patient);
        String read = received(other);
        List<SlowReader> readers = new ArrayList<>();
        // One after the other: so many at once could wait too long for new connections to the database.
        for (int i = 0; i < READERS; i++) {
            SlowReader reader = read(patient, id, part);
            readers.add(reader);
            assertThat(reader.status()).isEqualTo("HTTP/1.1 200");
        }

        await().until(() -> patient.metrics().sum(RESERVED) == 8 * 1024 * 1024);
        assertThat(other.octets(read, "/email/raw")).hasSize(sizeOf(other, read));
        for (SlowReader reader : readers) {
            reader.close();
        }
        await().until(() -> patient.metrics().sum(RESERVED) == 0);
    }

    /** Each account of the crowd reads nothing of its response, and asks for more. Others do not wait for the whole crowd. */
    @Test
    void crowdOfSlowReadersDoesNotKeepOthersOut() throws Exception {
        byte[] text = TestMail.large("Content-Type: text/plain", TEXT_OCTETS);
        Account other = Account.create(stack).at(patient);
        String large = received(other, text);
        String small = received(other, TestMail.of("short").octets());
        try (Crowd crowd = new Crowd()) {
            for (int i = 0; i < CROWD; i++) {
                Account one = Account.create(stack);
                crowd.begin(one, received(one, text));
            }
            await().until(() -> crowd.hasEachLostMemory() || !crowd.isRunning());
            assertThat(crowd.isRunning()).isTrue();

            assertThat(other.octets(small, "/email")).isNotEmpty();
            int responses = crowd.responses();
            assertThat(other.octets(large, "/email")).hasSizeGreaterThan(TEXT_OCTETS);
            assertThat(crowd.responses() - responses).isLessThanOrEqualTo(CROWD / 2);
            assertThat(patient.metrics().sum(RESERVED)).isPositive();
            assertThat(crowd.isRunning()).isTrue();
        }
        await().until(() -> patient.metrics().sum(RESERVED) == 0);
    }

    @Test
    void clientThatTakesTooLongIsCutOff() throws IOException {
        String id = received(account);
        try (SlowReader reader = read(impatient, id, "raw")) {
            assertThat(reader.status()).isEqualTo("HTTP/1.1 200");

            await().until(() -> impatient.metrics().sum(BROKEN_OFF) == 1
                    && impatient.metrics().sum(RESERVED) == 0);
            assertThat(reader.octetsUntilTheEnd()).isLessThan(sizeOf(account, id));
        }
    }

    private String received(Account account) throws IOException {
        return received(account, TestMail.large("Content-Type: application/pdf", OCTETS));
    }

    private String received(Account account, byte[] message) throws IOException {
        String id = account.createAddress();
        assertThat(Account.deliver(stack, id, message)).startsWith("250");
        account.awaitMail(id);
        return id;
    }

    private static int sizeOf(Account account, String id) {
        return account.get(id, "").path("email.size_bytes");
    }

    private SlowReader read(Replica service, String id, String part) throws IOException {
        return SlowReader.get(service.port(), "/v1/addresses/" + id + "/email/" + part, account.key());
    }

    /** Accounts that request a mail again as soon as the response to the last request has begun. */
    private final class Crowd implements AutoCloseable {

        private final List<SlowReader> readers = new CopyOnWriteArrayList<>();
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Future<Void>> accounts = new ArrayList<>();
        /** How many responses with the mail each account has begun to get. */
        private final List<AtomicInteger> responses = new ArrayList<>();

        private volatile boolean isClosed;

        void begin(Account account, String id) {
            AtomicInteger own = new AtomicInteger();
            responses.add(own);
            accounts.add(threads.submit(() -> {
                while (!isClosed) {
                    SlowReader reader = SlowReader.get(patient.port(), "/v1/addresses/" + id + "/email", account.key());
                    readers.add(reader);
                    String status = reader.status();
                    assertThat(status).matches("HTTP/1.1 (200|429|503)|");
                    if (status.endsWith("200")) {
                        own.incrementAndGet();
                    }
                }
                return null;
            }));
        }

        int responses() {
            return responses.stream().mapToInt(AtomicInteger::get).sum();
        }

        /** A response takes all of the memory, so an account with a second one has lost that of the first. */
        boolean hasEachLostMemory() {
            return responses.stream().allMatch(own -> own.get() >= 2);
        }

        boolean isRunning() {
            return accounts.stream().noneMatch(Future::isDone);
        }

        @Override
        public void close() throws IOException {
            isClosed = true;
            threads.close();
            for (Future<Void> account : accounts) {
                assertThat(account).succeedsWithin(Duration.ZERO);
            }
            for (SlowReader reader : readers) {
                reader.close();
            }
        }
    }
}
