package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.chaos.Fault;
import dev.oneshot.local.chaos.Round;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.ReplicatedStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.StackSettings;
import dev.oneshot.local.stack.StackSettings.Option;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.ScriptedRelay;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Three brokers and two replicas of each service keep the promises while one is killed. All other faults: {@code ./oneshot chaos}. It
 * has a stack of its own, but tests that need all of the shared one wait for its end: they need the processors as well.
 */
@Order(1)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicatedFaultsIT {

    static {
        StackTest.setWaits();
    }

    private static final Duration LASTING = Duration.ofSeconds(5);

    /** A slow machine must not fail the test. */
    private static final double GAP_SECONDS_MAX = 60;

    private ScriptedRelay relay;
    private ReplicatedStack stack;

    @BeforeAll
    void start() throws IOException {
        Path project = Path.of(System.getProperty("oneshot.project"));
        Path state = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "replicated");
        Option[] options = Boolean.getBoolean("oneshot.native")
                ? new Option[] {Option.QUICK_COMPILER, Option.TEMPORARY, Option.NATIVE}
                : new Option[] {Option.QUICK_COMPILER, Option.TEMPORARY};
        StackSettings settings = StackSettings.onFreePorts(project, state.toAbsolutePath(), options);
        relay = Round.relay();
        stack = ReplicatedStack.start(settings.with(Map.of("ONESHOT_RELAY_PORT", Integer.toString(relay.port()))));
    }

    @AfterAll
    void stop() throws IOException {
        stack.close();
        relay.close();
    }

    @Test
    void aLeaderAndThenAnApiServiceAreKilledUnderLoad() throws Exception {
        assertKept(Round.run(stack, relay, Fault.LEADER_KILLED, LASTING));
        assertKept(Round.run(stack, relay, Fault.API_KILLED, LASTING));
    }

    @Test
    void onlyTheReplicaThatStandsStillIsNotReady() {
        Set<String> all = stack.ready();
        String frozen = ReplicatedStack.labels(Service.API).getFirst();
        Set<String> others = new HashSet<>(all);
        others.remove(frozen);
        stack.freeze(frozen);
        try {
            await().untilAsserted(() -> assertThat(stack.ready()).isEqualTo(others));
        } finally {
            stack.thaw(frozen);
        }
        await().untilAsserted(() -> assertThat(stack.ready()).isEqualTo(all));
    }

    /** If they were not ready, no replica could respond with 503, or accept mail. Expiry has no clients. */
    @Test
    void allReplicasButExpiryStayReadyWhilePostgresFailsOver() throws Exception {
        Set<String> all = stack.ready();
        Set<String> others = new HashSet<>(all);
        ReplicatedStack.labels(Service.EXPIRY).forEach(others::remove);
        Account account = account();
        String address = account.createAddress();
        stack.killPostgres();
        try {
            assertThat(account.post("{}").statusCode()).isEqualTo(503);
            assertThat(deliver(Account.mailbox(address))).startsWith("250");
            assertThat(stack.ready()).containsAll(others);
        } finally {
            stack.promoteStandby();
        }
        account.awaitMail(address);
        stack.startStandby();
        await().untilAsserted(() -> assertThat(stack.ready()).isEqualTo(all));
    }

    /** If they were not ready, no replica could reply 451. */
    @Test
    void allReplicasStayReadyWithoutEnoughBrokers() throws Exception {
        Set<String> all = stack.ready();
        String mailbox = Account.mailbox(account().createAddress());
        List<String> two = ReplicatedStack.brokers().subList(0, 2);
        two.forEach(stack::kill);
        try {
            assertThat(deliver(mailbox)).startsWith("451");
            assertThat(stack.ready()).isEqualTo(all);
        } finally {
            two.parallelStream().forEach(stack::startAgain);
        }

        await().untilAsserted(() -> assertThat(deliver(mailbox)).startsWith("250"));
        Stream.of(Service.values())
                .flatMap(service -> ReplicatedStack.labels(service).stream())
                .forEach(ReplicatedFaultsIT.this::awaitTwoLinesAnOutage);
    }

    /** A warning of Kafka's clients is the first of an outage, and a line says when it has ended. */
    private void awaitTwoLinesAnOutage(String label) {
        Path log = stack.settings().logs().resolve(label + ".log");
        await().untilAsserted(() -> {
            List<String> lines = Files.readAllLines(log);
            List<String> warnings = lines.stream()
                    .filter(line -> line.contains(" WARN  [or.ap.ka.cl."))
                    .toList();
            assertThat(lines.stream().filter(line -> line.contains("Kafka clients have no more warnings")))
                    .as("%s: %s", label, warnings)
                    .hasSameSizeAs(warnings);
        });
    }

    private Account account() {
        int management =
                stack.managementPort(ReplicatedStack.labels(Service.API).getFirst());
        return Account.create(
                new Operator(management, stack.operatorToken()), stack.port(Port.HTTP), "scale", "replicated");
    }

    private String deliver(String mailbox) throws IOException {
        return SmtpClient.deliver(
                stack.port(Port.SMTP), mailbox, TestMail.of("Delivered", 1_000).octets());
    }

    private static void assertKept(Round.Result result) {
        System.out.println(result);
        assertThat(result.mails()).as("%s", result).isPositive();
        assertThat(result.sends()).as("%s", result).isPositive();
        assertThat(result.isKept()).as("%s", result).isTrue();
        assertThat(result.sendsTwice()).as("%s", result).isZero();
        assertThat(result.gapSeconds()).as("%s", result).isLessThan(GAP_SECONDS_MAX);
    }
}
