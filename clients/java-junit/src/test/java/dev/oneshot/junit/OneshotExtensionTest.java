package dev.oneshot.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.oneshot.client.Address;
import dev.oneshot.client.OneshotClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The extension with the oldest JUnit that it is for, against a service that only keeps a list of addresses. */
@NullMarked
class OneshotExtensionTest {

    private static final PrintStream STANDARD_ERROR = System.err;

    /** The labels of addresses by id, and what was asked for. */
    private static final Map<String, String> ADDRESSES = new TreeMap<>();

    private static final String EMAIL = """
            {"from":"ada@example.org","to":"","subject":"Hello\\u001b\\u009b[31m","text_body":"Dear Ada\\r\\n\\u001b[2J%s","html_body":"","headers":{},
             "received_at":"2036-01-31T12:00:05Z","size_bytes":321,"attachments":[]}""".formatted("x".repeat(4000));

    private static final List<String> REQUESTS = new ArrayList<>();
    private static final HttpServer SERVER = server();

    @AfterAll
    static void stop() {
        SERVER.stop(0);
    }

    @BeforeEach
    void forget() {
        ADDRESSES.clear();
        REQUESTS.clear();
    }

    @Test
    void eachTestHasAFreshAddressThatIsDeletedAfterIt() {
        EngineExecutionResults results = run(Passing.class);

        results.testEvents()
                .assertStatistics(statistics -> statistics.started(3).succeeded(3));
        assertThat(REQUESTS)
                .containsExactly(
                        "POST Passing.aNamedOne",
                        "POST Passing.aNamedOne",
                        "DELETE",
                        "DELETE",
                        "POST Passing.repeated repetition 1 of 2",
                        "DELETE",
                        "POST Passing.repeated repetition 2 of 2",
                        "DELETE");
        assertThat(ADDRESSES).isEmpty();
    }

    @Test
    void aFailedTestPrintsTheSummaryOfItsEmail() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            run(Failing.class).testEvents().assertStatistics(statistics -> statistics.failed(1));
        } finally {
            System.setErr(STANDARD_ERROR);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "oneshot: id1@in.example.org (Failing.fails) has an e-mail from ada@example.org with the"
                                + " subject \"Hello  [31m\", received at 2036-01-31T12:00:05Z, 321 bytes, 2 attachments",
                        "    Dear Ada",
                        "     [2J" + "x".repeat(3986) + " [14 more characters]");
        assertThat(ADDRESSES).isEmpty();
    }

    @Test
    void aFailedTestKeepsItsEmailIfItShall() {
        run(Keeping.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.failed(1).succeeded(1));

        assertThat(ADDRESSES.values()).containsExactly("Keeping.fails");
    }

    @Test
    void aWaitForNoneFailsIfThereIsAnEmail() {
        run(ExpectingNone.class)
                .testEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        finishedWithFailure(message("there is an e-mail from ada@example.org with the subject"
                                + " Hello  [31m where none was expected")));
    }

    @Test
    void anAddressThatTheTestDeletedIsNotMissed() {
        run(Deleting.class).testEvents().assertStatistics(statistics -> statistics.succeeded(1));
    }

    @Test
    void anAddressThatHasExpiredIsNotMissed() {
        run(Expiring.class).testEvents().assertStatistics(statistics -> statistics.succeeded(1));
    }

    @Test
    void aMissingCodeIsReportedWithoutControlCharacters() {
        run(WithoutCode.class)
                .testEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        finishedWithFailure(message("there is no code in the e-mail from ada@example.org with the"
                                + " subject Hello  [31m")));
    }

    @Test
    void constructorAndFieldsHaveTheAddressOfTheTest() {
        run(OfTheInstance.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.started(2).succeeded(2));

        assertThat(REQUESTS)
                .containsExactly(
                        "POST OfTheInstance",
                        "POST OfTheInstance",
                        "DELETE",
                        "DELETE",
                        "POST OfTheInstance",
                        "POST OfTheInstance",
                        "DELETE",
                        "DELETE");
    }

    @Test
    void anAddressOfTheClassIsDeletedAfterItsLastTest() {
        run(OfTheClass.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.started(2).succeeded(2));

        assertThat(REQUESTS)
                .containsExactly(
                        "POST OfTheClass",
                        "POST OfTheClass.first",
                        "DELETE",
                        "POST OfTheClass.second",
                        "DELETE",
                        "DELETE");
    }

    @Test
    void testsThatShareAnInstanceShareItsAddresses() {
        run(OfOneInstance.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.started(2).succeeded(2));

        assertThat(REQUESTS).containsExactly("POST OfOneInstance", "DELETE");
    }

    @Test
    void theAddressOfAClassIsKeptIfATestFailed() {
        run(KeepingOfTheClass.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.failed(1).succeeded(1));

        assertThat(ADDRESSES.values()).containsExactly("KeepingOfTheClass");
    }

    @Test
    void nestedTestsAreLabelledWithTheirClasses() {
        run(Outer.class).testEvents().assertStatistics(statistics -> statistics.succeeded(2));

        assertThat(REQUESTS)
                .containsExactly(
                        "POST Outer.Inner",
                        "POST Outer",
                        "POST Outer.Inner.runs",
                        "DELETE",
                        "DELETE",
                        "POST Outer",
                        "POST Outer.Inner.Innermost",
                        "POST Outer.Inner.Innermost.runs",
                        "DELETE",
                        "DELETE",
                        "DELETE",
                        "DELETE");
        assertThat(ADDRESSES).isEmpty();
    }

    @Test
    void theAddressesOfAConstructorThatFailsAreDeleted() {
        run(FailingInConstructor.class).testEvents().assertStatistics(statistics -> statistics.failed(2));

        assertThat(REQUESTS)
                .containsExactly("POST FailingInConstructor", "DELETE", "POST FailingInConstructor", "DELETE");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                WithoutExtension.class,
                WithoutExtensionInConstructor.class,
                WithoutExtensionBeforeAll.class,
                WithoutExtensionOfAField.class,
                WithExtensionThatIsTooLateForAField.class,
                WithoutExtensionOfAStaticField.class
            })
    void withoutTheExtensionTheMessageSaysSo(Class<?> tests) {
        assertThat(failures(run(tests)))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("@Inbox needs the extension: add @ExtendWith(OneshotExtension.class) to the class");
    }

    @ParameterizedTest
    @CsvSource({
        "dev.oneshot.junit.OneshotExtensionTest$OfAnotherType, not for java.lang.String",
        "dev.oneshot.junit.OneshotExtensionTest$OfAFieldOfAnotherType, not for java.lang.String",
        "dev.oneshot.junit.OneshotExtensionTest$OfAFinalField, @Inbox field inbox must not be final"
    })
    void aWrongFieldOrParameterIsNamed(Class<?> tests, String expected) {
        assertThat(failures(run(tests)))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains(expected);
    }

    private static List<String> failures(EngineExecutionResults results) {
        return results.allEvents().finished().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .map(String::valueOf)
                .toList();
    }

    @Test
    void aLabelHasAtMost255CharactersAndNoControlCharacters() {
        run(LongName.class).testEvents().assertStatistics(statistics -> statistics.succeeded(1));

        String label = REQUESTS.get(0).substring("POST ".length());
        assertThat(label.codePointCount(0, label.length())).isEqualTo(255);
        assertThat(label).startsWith("LongName.named a b \uD83D\uDCE7").endsWith("\uD83D\uDCE7");
    }

    private static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute();
    }

    private static OneshotExtension extension() {
        String url = "http://127.0.0.1:" + SERVER.getAddress().getPort() + "/v1";
        return new OneshotExtension()
                .withClient(OneshotClient.builder().baseUrl(url).apiKey("key").build());
    }

    private static HttpServer server() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/v1/addresses", OneshotExtensionTest::respond);
            server.start();
            return server;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void respond(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String id = path.substring(path.lastIndexOf('/') + 1);
        if (ADDRESSES.getOrDefault(id, "").startsWith("Expiring")) {
            respond(exchange, 410, "");
            return;
        } else if (id.equals("email")) {
            respond(exchange, 200, EMAIL);
            return;
        }
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                JsonObject request = JsonParser.parseString(body).getAsJsonObject();
                String created = "id" + (ADDRESSES.size() + 1);
                ADDRESSES.put(created, request.get("label").getAsString());
                REQUESTS.add("POST " + request.get("label").getAsString());
                respond(exchange, 201, address(created, "null"));
            }
            case "GET" -> respond(exchange, 200, address(id, """
                        {"from":"ada@example.org","subject":"Hello\\u001b\\u009b[31m","received_at":"2036-01-31T12:00:05Z",
                         "size_bytes":321,"has_attachments":true,"attachment_count":2}"""));
            case "DELETE" -> {
                REQUESTS.add("DELETE");
                boolean deleted = ADDRESSES.remove(id) != null;
                respond(exchange, deleted ? 204 : 404, "");
            }
            default -> respond(exchange, 405, "");
        }
    }

    private static String address(String id, String email) {
        JsonObject address = JsonParser.parseString("""
                {"mode":"receive","status":"received","expires_at":"2036-01-31T13:00:00Z","email":%s}""".formatted(email)).getAsJsonObject();
        address.addProperty("id", id);
        address.addProperty("address", id + "@in.example.org");
        address.addProperty("label", ADDRESSES.get(id));
        return address.toString();
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    static class Passing {

        @RegisterExtension
        final OneshotExtension oneshot = extension();

        private String prepared = "";

        @BeforeEach
        void prepare(@Inbox Address address) {
            prepared = address.id();
        }

        @Test
        void aNamedOne(@Inbox Mailbox inbox, @Inbox Address same, @Inbox("other") Mailbox other) {
            assertThat(inbox.address()).isSameAs(same);
            assertThat(prepared).isEqualTo(same.id());
            assertThat(other.address().id()).isNotEqualTo(same.id());
        }

        @RepeatedTest(2)
        void repeated(@Inbox Address address) {
            assertThat(prepared).isEqualTo(address.id());
        }
    }

    static class WithExtension {

        @RegisterExtension
        static final OneshotExtension ONESHOT = extension();
    }

    static class Failing extends WithExtension {

        @Test
        void fails(@Inbox Address address) {
            throw new AssertionError("no good: " + address.id());
        }
    }

    static class Keeping {

        @RegisterExtension
        final OneshotExtension oneshot = extension().keepOnFailure();

        @Test
        void fails(@Inbox Address address) {
            throw new AssertionError("no good: " + address.id());
        }

        @Test
        void passes(@Inbox Address address) {
            assertThat(address.label()).isEqualTo("Keeping.passes");
        }
    }

    static class ExpectingNone extends WithExtension {

        @Test
        void waits(@Inbox Mailbox inbox) throws InterruptedException {
            inbox.awaitNone(Duration.ofSeconds(5));
        }
    }

    static class Deleting extends WithExtension {

        @Test
        void deletes(@Inbox Address address) {
            ONESHOT.client().deleteAddress(address.id());
        }
    }

    static class Expiring extends WithExtension {

        @Test
        void takesLong(@Inbox Address address) {
            assertThat(address.label()).isEqualTo("Expiring.takesLong");
        }
    }

    static class WithoutCode extends WithExtension {

        @Test
        void waits(@Inbox Mailbox inbox) throws InterruptedException {
            inbox.awaitCode();
        }
    }

    static class OfTheInstance extends WithExtension {

        private final Address constructed;

        @Inbox
        private @Nullable Address field;

        @Inbox("other")
        private @Nullable Mailbox other;

        OfTheInstance(@Inbox Address address) {
            this.constructed = address;
        }

        @RepeatedTest(2)
        void isThatOfTheTest(@Inbox Address address, @Inbox("other") Mailbox otherOfTheTest) {
            assertThat(address).isSameAs(constructed).isSameAs(field);
            assertThat(otherOfTheTest).isSameAs(other);
            assertThat(otherOfTheTest.address()).isNotEqualTo(address);
        }
    }

    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class OfTheClass extends WithExtension {

        @Inbox
        private static @Nullable Address field;

        private static @Nullable Address prepared;

        @BeforeAll
        static void prepare(@Inbox Address address) {
            prepared = address;
        }

        @Test
        void first(@Inbox Address own) {
            assertThat(prepared).isSameAs(field);
            assertThat(own).isNotEqualTo(prepared);
        }

        @Test
        void second(@Inbox Address own) {
            assertThat(own).isNotEqualTo(prepared);
            assertThat(ADDRESSES).hasSize(2);
        }

        @AfterAll
        static void after(@Inbox Address address) {
            assertThat(address).isSameAs(prepared);
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OfOneInstance extends WithExtension {

        private final Address constructed;

        @Inbox
        private @Nullable Address field;

        OfOneInstance(@Inbox Address address) {
            this.constructed = address;
        }

        @BeforeAll
        void prepare(@Inbox Address address) {
            assertThat(address).isSameAs(constructed);
        }

        @RepeatedTest(2)
        void isShared() {
            assertThat(field).isSameAs(constructed);
        }
    }

    static class KeepingOfTheClass {

        @RegisterExtension
        static final OneshotExtension ONESHOT = extension().keepOnFailure();

        @BeforeAll
        static void prepare(@Inbox Address address) {
            assertThat(address).isNotNull();
        }

        @Test
        void fails() {
            throw new AssertionError("no good");
        }

        @Test
        void passes() {
            assertThat(ADDRESSES).hasSize(1);
        }
    }

    static class Outer extends WithExtension {

        @Inbox
        private @Nullable Address outer;

        @Nested
        class Inner {

            @BeforeAll
            static void prepare(@Inbox Address address) {
                assertThat(address).isNotNull();
            }

            @Test
            void runs(@Inbox("own") Address own) {
                assertThat(own).isNotEqualTo(outer);
            }

            @Nested
            class Innermost {

                private final Address constructed;

                Innermost(@Inbox("inner") Address address) {
                    this.constructed = address;
                }

                @Test
                void runs(@Inbox Address same, @Inbox("inner") Address inner, @Inbox("own") Address own) {
                    assertThat(same).isSameAs(outer);
                    assertThat(inner).isSameAs(constructed);
                    assertThat(own).isNotIn(same, inner);
                }
            }
        }
    }

    static class FailingInConstructor extends WithExtension {

        FailingInConstructor(@Inbox Address address) {
            throw new IllegalStateException("no good: " + address.id());
        }

        @RepeatedTest(2)
        void neverRuns() {
            throw new AssertionError();
        }
    }

    static class WithoutExtension {

        @Test
        void neverRuns(@Inbox Address address) {
            throw new AssertionError(address);
        }
    }

    static class WithoutExtensionInConstructor {

        WithoutExtensionInConstructor(@Inbox Address address) {
            throw new AssertionError(address);
        }

        @Test
        void neverRuns() {
            throw new AssertionError();
        }
    }

    static class WithoutExtensionBeforeAll {

        @BeforeAll
        static void neverRuns(@Inbox Address address) {
            assertThat(address).isNull();
        }

        @Test
        void neverRuns() {
            throw new AssertionError();
        }
    }

    static class WithoutExtensionOfAField {

        @Inbox
        private @Nullable Address address;

        @Test
        void neverRuns() {
            throw new AssertionError(address);
        }
    }

    static class WithExtensionThatIsTooLateForAField {

        @RegisterExtension
        final OneshotExtension oneshot = extension();

        @Inbox
        private @Nullable Address address;

        @Test
        void neverRuns() {
            throw new AssertionError(address);
        }
    }

    static class WithoutExtensionOfAStaticField {

        @Inbox
        private static @Nullable Address address;

        @Test
        void neverRuns() {
            throw new AssertionError(address);
        }
    }

    static class OfAnotherType extends WithExtension {

        @Test
        void neverRuns(@Inbox String address) {
            throw new AssertionError(address);
        }
    }

    static class OfAFieldOfAnotherType extends WithExtension {

        @Inbox
        private @Nullable String address;

        @Test
        void neverRuns() {
            throw new AssertionError(address);
        }
    }

    static class OfAFinalField extends WithExtension {

        @Inbox
        private final @Nullable Mailbox inbox = null;

        @Test
        void neverRuns() {
            throw new AssertionError(inbox);
        }
    }

    static class LongName extends WithExtension {

        private static final String TEN =
                "\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7";
        private static final String HUNDRED = TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN;
        private static final String NAME = "a\tb " + HUNDRED + HUNDRED + HUNDRED;

        @Test
        @DisplayName(NAME)
        void named(@Inbox Address address) {
            assertThat(address.label()).contains("a b");
        }
    }
}
