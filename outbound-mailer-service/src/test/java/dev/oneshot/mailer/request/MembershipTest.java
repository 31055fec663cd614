package dev.oneshot.mailer.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.relay.ScriptedRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.GroupState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each mail goes once, though the partition of a request is taken away while the relay has not answered. */
class MembershipTest {

    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration DRAIN_TIMEOUT = Duration.ofMillis(500);
    private static final int PARTITIONS = 6;
    private static final String GROUP = new Source(Topic.MAIL_REQUESTED, 1).group();

    private static final MailerHarness HARNESS = new MailerHarness(TemporaryBackends.kafka());

    @AfterEach
    void stopMailers() {
        HARNESS.stopMailers();
    }

    @AfterAll
    static void close() {
        HARNESS.close();
    }

    @Test
    void whatTheRelayDoesNotHaveYetIsSentByTheNewOwnerAlone() throws Exception {
        HoldingFirst script = new HoldingFirst(PARTITIONS, false);
        try (ScriptedRelay relay = new ScriptedRelay(script)) {
            var _ = HARNESS.impatient(relay.port(), DRAIN_TIMEOUT);
            List<MailRequested> requests = requestInEachPartition();
            await().atMost(STEP_TIMEOUT).until(() -> script.held() == PARTITIONS);

            var _ = HARNESS.impatient(relay.port(), DRAIN_TIMEOUT);
            await().atMost(STEP_TIMEOUT).until(() -> !relay.taken().isEmpty());
            script.release();

            assertEachIsSentOnce(relay, requests);
        }
    }

    @Test
    void aMemberThatKafkaHasExpelledDoesNotSendWhatItHadBegun() throws Exception {
        HoldingFirst script = new HoldingFirst(PARTITIONS, false);
        try (ScriptedRelay relay = new ScriptedRelay(script)) {
            var _ = HARNESS.impatient(relay.port(), DRAIN_TIMEOUT);
            List<MailRequested> requests = requestInEachPartition();
            await().atMost(STEP_TIMEOUT).until(() -> script.held() == PARTITIONS);

            expelAllMembers();
            await().atMost(STEP_TIMEOUT).until(() -> relay.taken().size() == PARTITIONS);
            script.release();

            assertEachIsSentOnce(relay, requests);
        }
    }

    @Test
    void aMailThatTheRelayHasIsNotSentAgainWhenItsPartitionComesBack() throws Exception {
        HoldingFirst script = new HoldingFirst(PARTITIONS, true);
        try (ScriptedRelay relay = new ScriptedRelay(script)) {
            Mailer mailer = HARNESS.impatient(relay.port(), DRAIN_TIMEOUT);
            List<MailRequested> requests = requestInEachPartition();
            await().atMost(STEP_TIMEOUT).until(() -> script.held() == PARTITIONS);

            expelAllMembers();
            MailRequested afterwards = Requests.to("ada@example.org");
            HARNESS.request(afterwards).get();
            // The first mail that is settled after it shows that the partitions are back.
            await().atMost(STEP_TIMEOUT)
                    .untilAsserted(() ->
                            assertThat(HARNESS.settled(afterwards.addressId())).hasSize(1));
            assertThat(mailer.isRunning()).isTrue();
            script.release();

            requests.add(afterwards);
            assertEachIsSentOnce(relay, requests);
        }
    }

    @Test
    void aStopDrainsOnceThoughTheRelayDoesNotAnswer() throws Exception {
        HoldingFirst script = new HoldingFirst(PARTITIONS, true);
        try (ScriptedRelay relay = new ScriptedRelay(script);
                DrainsInVain drains = new DrainsInVain()) {
            var _ = HARNESS.impatient(relay.port(), DRAIN_TIMEOUT);
            List<MailRequested> requests = requestInEachPartition();
            await().atMost(STEP_TIMEOUT).until(() -> script.held() == PARTITIONS);

            HARNESS.stopMailers();

            assertThat(drains.count()).isEqualTo(1);
            script.release();
            var _ = HARNESS.impatient(relay.port(), DRAIN_TIMEOUT);
            awaitSettled(ids(requests));
        }
    }

    /** As in each rolling upgrade: the new replica is there, so the old one is told to go while the group takes both in. */
    @Test
    void aStopInTheMidstOfARebalanceSettlesWhatHasBeenSent() throws Exception {
        HoldingFirst script = new HoldingFirst(PARTITIONS, true);
        List<MailRequested> requests = new ArrayList<>();
        try (ScriptedRelay relay = new ScriptedRelay(script)) {
            try (ExecutorService stopping = Executors.newVirtualThreadPerTaskExecutor();
                    KafkaConsumer<byte[], byte[]> slow = member();
                    KafkaConsumer<byte[], byte[]> replica = member();
                    Joining joining = new Joining()) {
                var _ = HARNESS.impatient(relay.port(), STEP_TIMEOUT.multipliedBy(2));
                await().atMost(STEP_TIMEOUT).until(() -> assignedTo(slow) == PARTITIONS / 2);
                requests.addAll(requestInEachPartition());
                await().atMost(STEP_TIMEOUT).until(() -> script.held() == PARTITIONS / 2);

                // The rebalance goes on for as long as one member has not asked to join again, and the mailer has.
                joining.forget();
                await().atMost(STEP_TIMEOUT).until(() -> assignedTo(replica) == 0 && joining.members() == 2);
                Future<?> stop = stopping.submit(HARNESS::stopMailers);
                await().atMost(STEP_TIMEOUT)
                        .until(() -> assignedTo(slow) + assignedTo(replica) > 0 && !isPreparingRebalance());
                script.release();

                await().atMost(STEP_TIMEOUT)
                        .until(() -> assignedTo(slow) + assignedTo(replica) == PARTITIONS && stop.isDone());
            }
            var _ = HARNESS.impatient(relay.port(), DRAIN_TIMEOUT);
            assertEachIsSentOnce(relay, requests);
        }
    }

    @Test
    void aLoopThatEndsByABugTakesItsMailsBackAtOnce() throws Exception {
        HoldingFirst script = new HoldingFirst(PARTITIONS, false);
        try (ScriptedRelay relay = new ScriptedRelay(script)) {
            Mailer faulty = HARNESS.faulty(relay.port(), STEP_TIMEOUT.multipliedBy(2));
            List<MailRequested> requests = requestInEachPartition();
            await().atMost(STEP_TIMEOUT).until(() -> script.held() == PARTITIONS);

            relay.become(new ScriptedRelay.Script() {
                @Override
                public String command(String line) {
                    return line.startsWith("MAIL FROM:") ? "450 4.2.1 later" : "250 2.0.0 ok";
                }
            });
            MailRequested fatal = Requests.to("ada@example.org");
            HARNESS.request(fatal).get();
            await().atMost(STEP_TIMEOUT).until(() -> !faulty.isRunning());
            relay.become(new ScriptedRelay.Script() {});
            script.release();
            var _ = HARNESS.impatient(relay.port(), DRAIN_TIMEOUT);

            requests.add(fatal);
            assertEachIsSentOnce(relay, requests);
        }
    }

    private static List<MailRequested> requestInEachPartition() throws Exception {
        List<MailRequested> requests = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            MailRequested request = Requests.to("ada@example.org");
            HARNESS.request(request, partition).get();
            requests.add(request);
        }
        return requests;
    }

    /** Another member of the group, which takes part in it only while it is asked for what it is assigned. */
    private static KafkaConsumer<byte[], byte[]> member() {
        KafkaConsumer<byte[], byte[]> member =
                HARNESS.clients().groupConsumer(GROUP, STEP_TIMEOUT.multipliedBy(2), PARTITIONS);
        member.subscribe(List.of(Topic.MAIL_REQUESTED.topicName()));
        return member;
    }

    private static int assignedTo(KafkaConsumer<byte[], byte[]> member) {
        var _ = member.poll(Duration.ofMillis(10));
        return member.assignment().size();
    }

    private static boolean isPreparingRebalance() throws Exception {
        try (Admin admin = HARNESS.clients().admin()) {
            return admin.describeConsumerGroups(List.of(GROUP)).all().get().values().stream()
                    .anyMatch(group -> group.groupState() == GroupState.PREPARING_REBALANCE);
        }
    }

    /** As Kafka does with a member that it has not heard of for the session timeout. */
    private static void expelAllMembers() throws Exception {
        try (Admin admin = HARNESS.clients().admin()) {
            admin.removeMembersFromConsumerGroup(GROUP, new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get();
        }
    }

    private static void assertEachIsSentOnce(ScriptedRelay relay, List<MailRequested> requests) {
        Set<String> ids = ids(requests);
        awaitSettled(ids);
        assertThat(settledOf(ids).map(MailSettled::outcome)).containsOnly(Outcome.RELAYED);
        // Waits for attempts that go on.
        HARNESS.stopMailers();
        assertThat(relay.taken().stream()
                        .map(mail -> mail.from().substring(0, mail.from().indexOf('@'))))
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    private static Set<String> ids(List<MailRequested> requests) {
        return requests.stream().map(MailRequested::addressId).collect(Collectors.toSet());
    }

    private static void awaitSettled(Set<String> ids) {
        await().atMost(STEP_TIMEOUT)
                .untilAsserted(() -> assertThat(settledOf(ids).map(MailSettled::addressId))
                        .containsExactlyInAnyOrderElementsOf(ids));
    }

    private static Stream<MailSettled> settledOf(Set<String> ids) {
        return HARNESS.settled().stream().filter(event -> ids.contains(event.addressId()));
    }

    /** How often a drain ended with mails that the relay had not answered, as the log says. */
    private static final class DrainsInVain extends Handler implements AutoCloseable {

        private final Logger logger = Logger.getLogger(RequestLoop.class.getName());
        private final AtomicInteger count = new AtomicInteger();

        DrainsInVain() {
            logger.addHandler(this);
        }

        int count() {
            return count.get();
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getMessage().contains("may be sent twice")) {
                count.incrementAndGet();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }

    /** Which members of the group have asked to join it, as Kafka's clients log. */
    private static final class Joining extends Handler implements AutoCloseable {

        private static final Pattern REQUEST =
                Pattern.compile("clientId=(\\S+), groupId=(\\S+)] \\(Re-\\)joining group");

        private final Logger logger =
                Logger.getLogger("org.apache.kafka.clients.consumer.internals.ConsumerCoordinator");
        private final Set<String> members = ConcurrentHashMap.newKeySet();

        Joining() {
            logger.setLevel(Level.INFO);
            logger.addHandler(this);
        }

        void forget() {
            members.clear();
        }

        int members() {
            return members.size();
        }

        @Override
        public void publish(LogRecord line) {
            Matcher request = REQUEST.matcher(line.getMessage());
            if (request.find() && request.group(2).equals(GROUP)) {
                members.add(request.group(1));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            logger.setLevel(null);
        }
    }
}
