package dev.oneshot.junit;

import dev.oneshot.client.Address;
import dev.oneshot.client.AddressExpiredException;
import dev.oneshot.client.CreateAddress;
import dev.oneshot.client.EmailSummary;
import dev.oneshot.client.NotFoundException;
import dev.oneshot.client.OneshotClient;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

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
 * the test the address is deleted. {@link Inbox} says which addresses belong to all tests of a class; they are deleted after the
 * last one. If the test failed, its e-mail is printed to the standard error stream first: a summary, and the
 * first 4,000 characters of its text.
 * Tests may run in parallel.
 */
public final class OneshotExtension
        implements ParameterResolver,
                TestInstancePreConstructCallback,
                TestInstancePostProcessor,
                BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(OneshotExtension.class);
    private static final String REGISTERED = "registered";
    private static final int LABEL_CHARACTERS_MAX = 255;
    private static final int PRINTED_CHARACTERS_MAX = 4000;

    private final Duration timeout;
    private final Duration ttl;
    private final boolean keepOnFailure;
    /** The addresses of the instance that is being constructed for a test. Its constructor does not know the test. */
    private final ThreadLocal<Map<String, Mailbox>> underConstruction = ThreadLocal.withInitial(ConcurrentHashMap::new);

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
        return parameter.isAnnotated(Inbox.class)
                && isSupported(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Inbox inbox = parameter.findAnnotation(Inbox.class).orElseThrow();
        boolean isConstruction = parameter.getDeclaringExecutable() instanceof Constructor;
        Mailbox mailbox = mailbox(inbox.value(), isConstruction, context);
        return parameter.getParameter().getType() == Mailbox.class ? mailbox : mailbox.address();
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext instance, ExtensionContext context) {
        register(context);
        if (instance.getOuterInstance().isEmpty()) {
            discardUnderConstruction();
        }
    }

    @Override
    public void postProcessTestInstance(Object instance, ExtensionContext context) throws IllegalAccessException {
        for (Field field : fields(instance.getClass()).toList()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                set(field, instance, context);
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IllegalAccessException {
        register(context);
        for (Field field : fields(context.getRequiredTestClass()).toList()) {
            if (Modifier.isStatic(field.getModifiers())) {
                set(field, null, context);
            }
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        register(context);
        inboxes(context).putAll(underConstruction.get());
        underConstruction.remove();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        boolean failed = context.getExecutionException().isPresent();
        if (failed) {
            for (ExtensionContext each = context;
                    each.getParent().isPresent();
                    each = each.getParent().get()) {
                each.getStore(NAMESPACE).put(failedKey(each), true);
            }
        }
        end(inboxes(context), failed);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        discardUnderConstruction();
        boolean failed = context.getExecutionException().isPresent()
                || context.getStore(NAMESPACE).get(failedKey(context)) != null;
        end(inboxes(context), failed);
    }

    /** Deletes the addresses of a constructor that failed: no test runs for them. */
    private void discardUnderConstruction() {
        Map<String, Mailbox> discarded = underConstruction.get();
        underConstruction.remove();
        end(discarded, false);
    }

    private void end(Map<String, Mailbox> inboxes, boolean failed) {
        RuntimeException failure = null;
        for (Mailbox inbox : inboxes.values()) {
            if (failed) {
                failure = failureOf(() -> System.err.println(summary(inbox.address())), failure);
            }
            if (!failed || !keepOnFailure) {
                failure = failureOf(() -> client().deleteAddress(inbox.address().id()), failure);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Runs a step, and returns the first failure of all steps, with later ones as suppressed; null if none has failed. */
    private static @Nullable RuntimeException failureOf(Runnable step, @Nullable RuntimeException first) {
        try {
            step.run();
        } catch (NotFoundException | AddressExpiredException gone) {
            // A test may delete its address itself, or take longer than the address lives.
            return first;
        } catch (RuntimeException e) {
            if (first == null) {
                return e;
            }
            first.addSuppressed(e);
        }
        return first;
    }

    private Mailbox mailbox(String name, boolean isConstruction, ExtensionContext context) {
        boolean isForOneTest = context.getTestInstanceLifecycle().orElse(Lifecycle.PER_METHOD) == Lifecycle.PER_METHOD;
        boolean isBeforeTest =
                isConstruction && isForOneTest && context.getTestMethod().isEmpty();
        Map<String, Mailbox> inboxes = isBeforeTest ? underConstruction.get() : inboxes(context);
        return inboxes.computeIfAbsent(name, key -> {
            CreateAddress request = CreateAddress.receive().withTtl(ttl).withLabel(label(context));
            return new Mailbox(client(), client().createAddress(request), timeout);
        });
    }

    private void set(Field field, @Nullable Object instance, ExtensionContext context) throws IllegalAccessException {
        if (Modifier.isFinal(field.getModifiers())) {
            throw new ExtensionConfigurationException("@Inbox field " + field.getName() + " must not be final");
        } else if (!isSupported(field.getType())) {
            throw new ExtensionConfigurationException(wrongType(field.getType()));
        }
        Mailbox mailbox = mailbox(field.getAnnotation(Inbox.class).value(), instance != null, context);
        field.setAccessible(true);
        field.set(instance, field.getType() == Mailbox.class ? mailbox : mailbox.address());
    }

    static Stream<Field> fields(Class<?> type) {
        return AnnotationSupport.findAnnotatedFields(type, Inbox.class, field -> true, HierarchyTraversalMode.TOP_DOWN)
                .stream();
    }

    static boolean isSupported(Class<?> type) {
        return type == Mailbox.class || type == Address.class;
    }

    static String wrongType(Class<?> type) {
        return "@Inbox is for a Mailbox or an Address, not for " + type.getName();
    }

    static boolean isRegistered(ExtensionContext context) {
        return context.getStore(NAMESPACE).get(REGISTERED) != null;
    }

    private static void register(ExtensionContext context) {
        context.getStore(NAMESPACE).put(REGISTERED, true);
    }

    /** Stores look a key up in those of the outer contexts too, so a context has keys of its own. */
    private static String failedKey(ExtensionContext context) {
        return "failed " + context.getUniqueId();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Mailbox> inboxes(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        "inboxes " + context.getUniqueId(), key -> new ConcurrentHashMap<String, Mailbox>(), Map.class);
    }

    /** The classes, the method if there is one, and of a test with several invocations, which of them it is. */
    static String label(ExtensionContext context) {
        StringBuilder label = new StringBuilder(classes(context));
        context.getTestMethod().ifPresent(test -> {
            String name = context.getDisplayName();
            label.append('.').append(test.getName());
            label.append(name.startsWith(test.getName() + "(") ? "" : " " + name);
        });
        return printable(label.toString())
                .codePoints()
                .limit(LABEL_CHARACTERS_MAX)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** The class of the test; of a nested one, with the classes around it. */
    private static String classes(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        String outer = context.getParent()
                .filter(parent -> !Modifier.isStatic(type.getModifiers()))
                .flatMap(parent -> around(parent, type))
                .map(parent -> classes(parent) + ".")
                .orElse("");
        return outer + type.getSimpleName();
    }

    /** The nearest context around it that is of another class. */
    private static Optional<ExtensionContext> around(ExtensionContext context, Class<?> type) {
        return context.getTestClass().filter(type::equals).isPresent()
                ? context.getParent().flatMap(parent -> around(parent, type))
                : Optional.of(context).filter(found -> found.getTestClass().isPresent());
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
