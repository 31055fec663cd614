package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.client.Address;
import dev.oneshot.client.AddressFilter;
import dev.oneshot.client.ApiException;
import dev.oneshot.client.Attachment;
import dev.oneshot.client.AwaitTimeoutException;
import dev.oneshot.client.Code;
import dev.oneshot.client.CreateAddress;
import dev.oneshot.client.CreditsAdded;
import dev.oneshot.client.Email;
import dev.oneshot.client.Link;
import dev.oneshot.client.Mode;
import dev.oneshot.client.NotFoundException;
import dev.oneshot.client.OneshotClient;
import dev.oneshot.client.Send;
import dev.oneshot.client.Status;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.Metrics;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/** The Java client on the packaged services, with mail over SMTP. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class JavaClientIT {

    private static final Duration ARRIVAL_TIMEOUT = Duration.ofMinutes(3);
    /** Polls by status, and 429 to any request. */
    private static final Pattern POLLS = Pattern.compile(
            "http_server_requests_seconds_count\\{"
                    + "(?:(?=.*status=\"429\")|(?=.*method=\"GET\")(?=.*uri=\"/v1/addresses/\\{id}\")).*status=\"(\\d+)\".*} (\\S+)");

    private final LocalStack stack;
    private final OneshotClient client;

    JavaClientIT(LocalStack stack) throws IOException, InterruptedException {
        this.stack = stack;
        this.client = Account.create(stack).client();
    }

    @Test
    void aSignUpIsFollowedFromTheAddressToTheCode() throws Exception {
        Address address = client.createAddress(
                CreateAddress.receive().withLabel("sign-up & more").withTtl(Duration.ofMinutes(10)));
        assertThat(address.status()).isEqualTo(Status.WAITING);
        assertThat(address.mode()).isEqualTo(Mode.RECEIVE);

        Account.deliver(stack, address.address(), """
                From: Example <ada@example.org>
                Subject: =?utf-8?q?Dein_Best=C3=A4tigungscode?=
                MIME-Version: 1.0
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                <p>Dein Code ist <b>482 913</b>.</p><a href=3D"https://example.com/c?a=3D1&amp;b=3D2">Adresse best=C3=A4tigen</a>""");
        Email email = client.awaitEmail(address, ARRIVAL_TIMEOUT);

        assertThat(email.from()).isEqualTo("ada@example.org");
        assertThat(email.to()).isEqualTo(address.address());
        assertThat(email.subject()).isEqualTo("Dein Bestätigungscode");
        assertThat(email.headers()).containsEntry("content-type", "text/html; charset=utf-8");
        assertThat(email.codes()).extracting(Code::value).containsExactly("482913");
        assertThat(email.verificationLink()).contains(new Link("Adresse bestätigen", "https://example.com/c?a=1&b=2"));
        assertThat(client.listAddresses(AddressFilter.ALL.withLabel("sign-up & more")))
                .singleElement()
                .satisfies(listed -> {
                    assertThat(listed.status()).isEqualTo(Status.RECEIVED);
                    assertThat(listed.email()).isNotNull();
                });
        client.deleteAddress(address.address());
        assertThatThrownBy(() -> client.getEmail(address.id())).isInstanceOf(NotFoundException.class);
    }

    @Test
    void whatIsSentIsReceivedWithItsAttachments() throws Exception {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);
        Address to = client.createAddress();

        Address sent = client.createAddress(CreateAddress.send(Send.to(to.address(), "Grüße")
                .withText("Hello")
                .withHtml("<p>Hello</p>")
                .withAttachment("a.bin", "application/x-test", content)
                .withAttachment("b.txt", "text/plain", new byte[0])));
        Email email = client.awaitEmail(to, ARRIVAL_TIMEOUT);

        assertThat(sent.status()).isEqualTo(Status.SENT);
        assertThat(sent.sendTo()).isEqualTo(to.address());
        assertThat(email.from()).isEqualTo(sent.address());
        assertThat(email.subject()).isEqualTo("Grüße");
        assertThat(email.attachments()).extracting(Attachment::filename).containsExactly("a.bin", "b.txt");
        try (InputStream attachment = client.getAttachment(email.attachments().get(0));
                InputStream empty = client.getAttachment(to.id(), 1);
                InputStream raw = client.getRawEmail(to.id())) {
            assertThat(attachment.readAllBytes()).isEqualTo(content);
            assertThat(empty.readAllBytes()).isEmpty();
            assertThat(raw.readAllBytes()).hasSize((int) email.sizeBytes());
        }
        assertThatThrownBy(() -> client.getAttachment(to.id(), 2)).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> client.awaitEmail(sent, ARRIVAL_TIMEOUT)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aListGoesOnOverItsPagesAndIsDeletedByItsLabel() {
        List<String> created = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            created.add(
                    0,
                    client.createAddress(CreateAddress.receive().withLabel("many"))
                            .id());
        }
        Address other = client.createAddress();
        AddressFilter many =
                AddressFilter.ALL.withLabel("many").withStatus(Status.WAITING).withMode(Mode.RECEIVE);

        assertThat(client.listAddresses(many)).extracting(Address::id).containsExactlyElementsOf(created);
        client.deleteAddressesByLabel("many");

        assertThat(client.listAddresses()).extracting(Address::id).containsExactly(other.id());
    }

    @Test
    void anAccountBuysCreditsAndReplacesItsKey() throws Exception {
        Account account = Account.create(stack, "free");
        OneshotClient owner = account.client();

        CreditsAdded added = owner.buyCredits(500);
        String key = owner.replaceApiKey();

        assertThat(added.creditsAdded()).isEqualTo(500);
        assertThat(added.reference()).isNotEmpty();
        assertThat(key).isNotEqualTo(account.key());
        assertThat(owner.getAccount().credits()).isEqualTo(500);
        assertThat(owner.getAccount().plan()).isEqualTo("free");
        assertThat(owner.getAccount().limits().maxTtlSeconds()).isEqualTo(3600);
        assertThatThrownBy(account.client()::getAccount).isInstanceOfSatisfying(ApiException.class, error -> {
            assertThat(error.status()).isEqualTo(401);
            assertThat(error.code()).isEqualTo("UNAUTHORIZED");
            assertThat(error.requestId()).isPresent();
        });
        assertThatThrownBy(() -> owner.createAddress(CreateAddress.receive().withTtl(Duration.ofHours(2))))
                .hasMessageContaining("VALIDATION_ERROR (422)");
    }

    /** The bound: a poll each two seconds for each wait, and the first and the last one. */
    @Test
    @ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
    void aThousandWaitsAtOnceStayWithinTheRate() throws Exception {
        int waits = 1000;
        int delivered = 50;
        Duration timeout = Duration.ofSeconds(16);
        Map<String, Long> before = polls();
        List<Address> addresses = new ArrayList<>();
        List<Future<String>> outcomes = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Address>> creations = new ArrayList<>();
            for (int i = 0; i < waits; i++) {
                creations.add(threads.submit(() -> client.createAddress()));
            }
            for (Future<Address> creation : creations) {
                addresses.add(creation.get());
            }
            for (int i = 0; i < waits; i++) {
                Address address = addresses.get(i);
                // The bound is about waits that end without an e-mail; a delivery takes as long as the machine needs.
                Duration patience = i < delivered ? timeout.multipliedBy(20) : timeout;
                outcomes.add(threads.submit(() -> outcome(address, patience)));
            }
            for (Address address : addresses.subList(0, delivered)) {
                Account.deliver(stack, address.address(), "Subject: " + address.id() + "\n\nHello");
            }
        }

        Map<String, Long> polls = polls();
        polls.replaceAll((status, count) -> count - before.getOrDefault(status, 0L));
        polls.values().removeIf(count -> count == 0);
        System.out.println("polls of " + waits + " waits of " + timeout.toSeconds() + " s by status: " + polls);
        for (int i = 0; i < waits; i++) {
            assertThat(outcomes.get(i).get())
                    .isEqualTo(i < delivered ? addresses.get(i).id() : "timed out");
        }
        assertThat(polls).doesNotContainKey("429");
        long bound = waits * (timeout.toSeconds() / 2 + 2);
        assertThat(polls.values().stream().mapToLong(Long::longValue).sum()).isBetween(2L * waits - delivered, bound);
    }

    private String outcome(Address address, Duration timeout) throws InterruptedException {
        try {
            return client.awaitEmail(address, timeout).subject();
        } catch (AwaitTimeoutException e) {
            return "timed out";
        }
    }

    /** How many polls the service has responded to, by status. */
    private Map<String, Long> polls() {
        Map<String, Long> polls = new TreeMap<>();
        Matcher sample = POLLS.matcher(new Metrics(stack.settings().port(Port.API_MANAGEMENT)).scrape());
        while (sample.find()) {
            polls.merge(sample.group(1), (long) Double.parseDouble(sample.group(2)), Long::sum);
        }
        return polls;
    }
}
