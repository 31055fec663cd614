package dev.oneshot.junit;

import dev.oneshot.client.Address;
import dev.oneshot.client.AddressExpiredException;
import dev.oneshot.client.CreateAddress;
import dev.oneshot.client.EmailSummary;
import dev.oneshot.client.NotFoundException;
import dev.oneshot.client.OneshotClient;
import dev.oneshot.client.OneshotException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test an address of its own, for JUnit 5 and 6:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final OneshotExtension ONESHOT = new OneshotExtension().withTimeout(Duration.ofSeconds(30));
 *
 * @Test
 * void signsUp(@Inbox Mailbox inbox) throws InterruptedException {
 *     signUpForm.submit(inbox.address().address());
 *     signUpForm.enter(inbox.awaitCode());
 * }
 * }</pre>
 *
 * <p>{@code @ExtendWith(OneshotExtension.class)} has the default settings. The label of an address is the name of its test. After
 * the test the address is deleted. If the test failed, its e-mail is printed to the standard error stream first: a summary, and the
 * first 4,000 characters of its text.
 * Tests may run in parallel.
 */
public final class OneshotExtension implements ParameterResolver, AfterEachCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(OneshotExtension.class);
    private static final int LABEL_CHARACTERS_MAX = 255;
    private static final int PRINTED_CHARACTERS_MAX = 4000;

    private final Duration timeout;
    private final Duration ttl;
    private final boolean keepOnFailure;
    private @Nullable OneshotClient client;

    /** With the client of {@link OneshotClient#builder()}, which reads the environment, and the defaults given below. */
    public OneshotExtension() {
        this(null, Duration.ofSeconds(20), Duration.ofMinutes(10), false);
    }

    private OneshotExtension(@Nullable OneshotClient client, Duration timeout, Duration ttl, boolean keepOnFailure) {
        this.client = client;
        this.timeout = timeout;
        this.ttl = ttl;
        this.keepOnFailure = keepOnFailure;
    }

    /** The same with this client. */
    public OneshotExtension withClient(OneshotClient newClient) {
        return new OneshotExtension(newClient, timeout, ttl, keepOnFailure);
    }

    /** The same with this time for each wait of a {@link Mailbox}; by default 20 s. */
    public OneshotExtension withTimeout(Duration newTimeout) {
        return new OneshotExtension(client, newTimeout, ttl, keepOnFailure);
    }

    /** The same with this lifetime of addresses, for tests that are killed. The default is 10 minutes, the plan bounds it. */
    public OneshotExtension withTtl(Duration newTtl) {
        return new OneshotExtension(client, timeout, newTtl, keepOnFailure);
    }

    /** The same, but the addresses of a failed test are not deleted: their e-mail can be read until they expire. */
    public OneshotExtension keepOnFailure() {
        return new OneshotExtension(client, timeout, ttl, true);
    }

    /**
     * The client, for requests that a {@link Mailbox} does not offer.
     *
     * @throws IllegalStateException if none was given and the environment names no base URL or API key
     */
    public synchronized OneshotClient client() {
        if (client == null) {
            client = OneshotClient.builder().build();
        }
        return client;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return parameter.isAnnotated(Inbox.class) && (type == Mailbox.class || type == Address.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException("@Inbox is for parameters of test methods, and of methods that run"
                    + " before or after each: an address belongs to one test");
        }
        String name = parameter.findAnnotation(Inbox.class).orElseThrow().value();
        Mailbox inbox = inboxes(context).computeIfAbsent(name, key -> create(context));
        return parameter.getParameter().getType() == Mailbox.class ? inbox : inbox.address();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        OneshotException failure = null;
        boolean failed = context.getExecutionException().isPresent();
        for (Mailbox inbox : inboxes(context).values()) {
            try {
                if (failed) {
                    System.err.println(summary(inbox.address()));
                }
                if (!failed || !keepOnFailure) {
                    client().deleteAddress(inbox.address().id());
                }
            } catch (OneshotException e) {
                // A test may delete its address itself, or take longer than the address lives.
                boolean isGone = e instanceof NotFoundException || e instanceof AddressExpiredException;
                if (!isGone && failure != null) {
                    failure.addSuppressed(e);
                } else if (!isGone) {
                    failure = e;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private Mailbox create(ExtensionContext context) {
        CreateAddress request = CreateAddress.receive().withTtl(ttl).withLabel(label(context));
        return new Mailbox(client(), client().createAddress(request), timeout);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Mailbox> inboxes(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent("inboxes", key -> new ConcurrentHashMap<String, Mailbox>(), Map.class);
    }

    /** The class, the method and, of a test with several invocations, which of them it is. */
    static String label(ExtensionContext context) {
        String method = context.getRequiredTestMethod().getName();
        String name = context.getDisplayName();
        String label = context.getRequiredTestClass().getSimpleName() + "." + method
                + (name.startsWith(method + "(") ? "" : " " + name);
        return printable(label)
                .codePoints()
                .limit(LABEL_CHARACTERS_MAX)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private String summary(Address created) {
        Address address = client().getAddress(created.id());
        EmailSummary email = address.email();
        String kept = keepOnFailure ? "; it is kept until " + address.expiresAt() : "";
        String summary = printable("oneshot: " + address.address() + " (" + address.label() + ") has "
                + (email == null
                        ? "no e-mail"
                        : "an e-mail from " + email.from() + " with the subject \"" + email.subject()
                                + "\", received at "
                                + email.receivedAt() + ", " + email.sizeBytes() + " bytes, " + email.attachmentCount()
                                + " attachments")
                + kept);
        return email == null
                ? summary
                : summary + text(client().getEmail(created.id()).text());
    }

    /** The text, indented; without control characters, but with its lines. */
    private static String text(String text) {
        String cut = text.length() <= PRINTED_CHARACTERS_MAX
                ? text
                : text.substring(0, PRINTED_CHARACTERS_MAX) + " [" + (text.length() - PRINTED_CHARACTERS_MAX)
                        + " more characters]";
        StringBuilder lines = new StringBuilder();
        cut.strip().lines().forEach(line -> lines.append("\n    ").append(printable(line)));
        return lines.toString();
    }

    /** The text without control characters, which the service rejects in labels and a terminal would obey. */
    static String printable(String text) {
        return text.replaceAll("\\p{Cc}", " ");
    }
}
