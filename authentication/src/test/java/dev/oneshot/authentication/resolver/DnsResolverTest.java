package dev.oneshot.authentication.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.dns.Dns.Answer;
import dev.oneshot.testing.LocalDns;
import dev.oneshot.testing.LocalDns.Fault;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Look-ups at a real name server that is slow, silent, or answers too much. */
class DnsResolverTest {

    private static final Duration SHORT = Duration.ofMillis(200);

    private static final Answer FOUND = new Answer.Found(List.of("192.0.2.1"));

    private final LocalDns server = new LocalDns();

    @AfterEach
    void close() {
        server.close();
    }

    private Dns dns() {
        return Resolvers.dns(server);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dns-answers.txt", delimiter = '|')
    void answerIsThatOfTheZone(String name, Dns.Type type, String expected) {
        server.serve("""
                a.example. A 192.0.2.1
                a.example. AAAA 2001:db8::1
                a.example. MX 20 second.example.
                a.example. MX 10 first.example.
                a.example. TXT "one" " text"
                1.2.0.192.in-addr.arpa. PTR a.example.
                alias.example. CNAME a.example.
                loop.example. CNAME back.example.
                back.example. CNAME loop.example.
                self.example. CNAME self.example.
                """);

        assertThat(dns().query(name, type))
                .isEqualTo(
                        switch (expected) {
                            case "no name" -> new Answer.None(false);
                            case "no record" -> new Answer.None(true);
                            default -> new Answer.Found(List.of(expected.split(", ", -1)));
                        });
    }

    @Test
    void answerIsKept() {
        server.serve("a.example. A 192.0.2.1\n");
        Dns dns = dns();
        dns.query("a.example", Dns.Type.A);
        int queries = server.queries();

        Answer again = dns.query("a.example", Dns.Type.A);

        assertThat(again).isInstanceOf(Answer.Found.class);
        assertThat(server.queries()).isEqualTo(queries);
    }

    static Stream<String> namesThatAreNone() {
        String label = "x".repeat(63);
        return Stream.of(
                "",
                ".",
                "..",
                "a.example..",
                ".a.example",
                "x".repeat(64) + ".example",
                (label + ".").repeat(3) + "x".repeat(62),
                (label + ".").repeat(4),
                "\u00FC".repeat(63) + ".example",
                "\\".repeat(64) + ".example",
                "%".repeat(64) + ".example",
                "a\0.example",
                "a\n.example",
                "x".repeat(100_000));
    }

    @ParameterizedTest
    @MethodSource("namesThatAreNone")
    void textThatIsNoNameIsNotAskedFor(String text) {
        for (Dns.Type type : Dns.Type.values()) {
            assertThat(dns().query(text, type)).isEqualTo(new Answer.None(false));
        }
        assertThat(server.queries()).isZero();
    }

    @Test
    void longestNameIsAskedFor() {
        String longest = ("x".repeat(63) + ".").repeat(3) + "x".repeat(61);
        server.serve(longest + ". A 192.0.2.1\n");

        assertThat(dns().query(longest, Dns.Type.A)).isEqualTo(FOUND);
        assertThat(dns().query(longest + ".", Dns.Type.A)).isEqualTo(FOUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b.example", "%.example", "a\\.example", "\\065.example", "@", "*.example", "\"a\".example"})
    void oddNameIsAskedForAsItIs(String name) {
        assertThat(dns().query(name, Dns.Type.TXT)).isEqualTo(new Answer.None(false));
        assertThat(server.queries()).isEqualTo(1);
    }

    @Test
    void thousandsOfRecordsAreReadInPart() {
        StringBuilder zone = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            zone.append("many.example. A 10.0.%d.%d\n".formatted(i / 256, i % 256));
        }
        server.serve(zone.toString());

        Answer answer = dns().query("many.example", Dns.Type.A);

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Found.class, found -> assertThat(found.values()).hasSize(DnsResolver.RECORDS_MAX));
    }

    @Test
    void textOfSixtyKibibytesIsReadOverTcpAndNotKeptBeyondTheBound() {
        for (int i = 0; i < 40; i++) {
            server.serve("t%d.example. TXT %s\n".formatted(i, ("\"" + "x".repeat(250) + "\" ").repeat(240)));
        }
        DnsResolver resolver = Resolvers.of(Resolvers.LONG, server);
        Dns dns = Resolvers.dns(resolver);

        for (int i = 0; i < 40; i++) {
            assertThat(dns.query("t" + i + ".example", Dns.Type.TXT))
                    .isInstanceOfSatisfying(
                            Answer.Found.class,
                            found -> assertThat(found.values().getFirst()).hasSize(60_000));
        }

        assertThat(resolver.cachedBytes()).isPositive().isLessThanOrEqualTo(Resolvers.CACHE_BYTES);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"SILENT", "SERVER_FAILURE", "SLOW_DRIP"})
    void serverThatFailsLeavesTheAnswerUnknown(Fault fault) {
        server.serve("other.example. A 192.0.2.1\n").fail("a.example", fault);
        Answer answer = Resolvers.dns(Resolvers.of(SHORT, server)).query("a.example", Dns.Type.A);

        assertThat(answer).isEqualTo(new Answer.Unknown());
    }

    @Test
    void queryWithoutAResponseIsRepeatedLater() {
        server.fail("a.example", Fault.SILENT);
        Dns dns = Resolvers.dns(Resolvers.of(SHORT, server));
        assertThat(dns.query("a.example", Dns.Type.A)).isEqualTo(new Answer.Unknown());

        server.serve("a.example. A 192.0.2.1\n");

        await().until(() -> dns.query("a.example", Dns.Type.A), FOUND::equals);
    }

    @Test
    void threadOfDnsjavaIsNotStarted() {
        server.serve(
                "a.example. A 192.0.2.1\nlarge.example. TXT " + ("\"" + "x".repeat(250) + "\" ").repeat(20) + "\n");

        assertThat(dns().query("a.example", Dns.Type.A)).isInstanceOf(Answer.Found.class);
        assertThat(dns().query("large.example", Dns.Type.TXT)).isInstanceOf(Answer.Found.class);

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("dnsjava"));
    }

    @Test
    void noServerLeavesTheAnswerUnknown() {
        DnsResolver resolver = Resolvers.of(SHORT, server);
        server.close();

        assertThat(Resolvers.dns(resolver).query("a.example", Dns.Type.A)).isEqualTo(new Answer.Unknown());
    }

    @Test
    void secondServerIsAskedIfTheFirstFails() {
        server.serve("a.example. A 192.0.2.1\n");
        try (LocalDns failing = new LocalDns()) {
            failing.fail("a.example", Fault.SERVER_FAILURE);

            assertThat(Resolvers.dns(failing, server).query("a.example", Dns.Type.A))
                    .isEqualTo(FOUND);
        }
    }

    /** The look-ups of a mail are one after another, and may take 5 s. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void silentServerIsAskedOnlyOnceIfAnotherResponds(int count) {
        server.serve(zoneOf(20));
        try (LocalDns silent = silent(20);
                LocalDns other = silent(20)) {
            LocalDns[] servers = count == 2 ? new LocalDns[] {silent, server} : new LocalDns[] {silent, other, server};
            Dns dns = Resolvers.dns(servers);

            for (int i = 0; i < 20; i++) {
                assertThat(dns.query("n" + i + ".example", Dns.Type.A)).isEqualTo(FOUND);
            }

            assertThat(silent.queries()).isEqualTo(1);
            assertThat(other.queries()).isEqualTo(count - 2);
            assertThat(server.queries()).isEqualTo(20);
        }
    }

    @Test
    void silentServerIsAskedAgainIfTheOtherFails() {
        server.serve("n0.example. A 192.0.2.1\n").fail("n1.example", Fault.SERVER_FAILURE);
        try (LocalDns silent = silent(1).serve("n1.example. A 192.0.2.1\n")) {
            Dns dns = Resolvers.dns(silent, server);
            assertThat(dns.query("n0.example", Dns.Type.A)).isEqualTo(FOUND);

            assertThat(dns.query("n1.example", Dns.Type.A)).isEqualTo(FOUND);
        }
    }

    @Test
    void serverThatDoesNotListenIsAskedOnce() {
        server.serve(zoneOf(3));
        LocalDns closed = new LocalDns();
        Dns dns = Resolvers.dns(closed, server);
        closed.close();

        for (int i = 0; i < 3; i++) {
            assertThat(dns.query("n" + i + ".example", Dns.Type.A)).isEqualTo(FOUND);
        }
    }

    @Test
    void lostQueryToASingleServerIsRepeated() {
        server.fail("a.example", Fault.SILENT);

        Answer answer = Resolvers.dns(Resolvers.of(SHORT, server)).query("a.example", Dns.Type.A);

        assertThat(answer).isEqualTo(new Answer.Unknown());
        assertThat(server.queries()).isEqualTo(2);
    }

    private static String zoneOf(int names) {
        StringBuilder zone = new StringBuilder();
        for (int i = 0; i < names; i++) {
            zone.append("n%d.example. A 192.0.2.1\n".formatted(i));
        }
        return zone.toString();
    }

    private static LocalDns silent(int names) {
        LocalDns silent = new LocalDns();
        for (int i = 0; i < names; i++) {
            silent.fail("n%d.example".formatted(i), Fault.SILENT);
        }
        return silent;
    }

    @Test
    void nothingIsAskedAfterTheDeadline() {
        server.serve("a.example. A 192.0.2.1\n");

        Answer answer = Resolvers.of(Resolvers.LONG, server)
                .until(System.nanoTime() - 1)
                .query("a.example", Dns.Type.A);

        assertThat(answer).isEqualTo(new Answer.Unknown());
        assertThat(server.queries()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.53, 192.0.2.53, 53",
        "192.0.2.53:5353, 192.0.2.53, 5353",
        "[2001:db8::53]:5353, 2001:db8::53, 5353",
        "2001:db8::53, 2001:db8::53, 53"
    })
    void serversAreReadWithTheirPorts(String text, String address, int port) {
        assertThat(DnsResolver.serverAddress(text)).isEqualTo(new InetSocketAddress(address, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "dns.example", "192.0.2.300", "192.0.2.53:70000", "[2001:db8::53", "192.0.2.53:"})
    void otherTextIsNoServer(String text) {
        assertThatThrownBy(() -> DnsResolver.serverAddress(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not an address such as 192.0.2.53");
    }
}
