package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import dev.oneshot.testing.LocalDns;
import dev.oneshot.testing.LocalDns.Fault;
import dev.oneshot.testing.SmtpClient;
import java.io.ByteArrayInputStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.james.jdkim.DKIMSigner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Verdicts, from the socket to the stored message, with a real name server. */
class VerdictsTest extends OwnServers {

    private static final String FROM = "From: Alice <alice@example.org>\r\n";
    private static final String TRACE = "Return-Path: <sender@example.org>\r\nReceived: from client.example (";

    private final LocalDns dns = new LocalDns();

    @AfterEach
    void clear() {
        dns.clear();
    }

    private SmtpTestServer checkingServer(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of("oneshot.dns.servers", dns.address()));
        all.putAll(settings);
        return server(all);
    }

    private String send(String message) throws Exception {
        return send(Map.of(), "", "sender@example.org", message);
    }

    private String send(Map<String, String> settings, String preamble, String sender, String message) throws Exception {
        try (SmtpTestServer server = checkingServer(settings);
                SmtpClient client = SmtpClient.connect(server.port())) {
            client.write(preamble.getBytes(StandardCharsets.US_ASCII));
            client.reply();
            client.say("EHLO client.example");
            byte[] octets = message.getBytes(StandardCharsets.ISO_8859_1);
            assertThat(client.send(sender, List.of("open1@in.example"), octets)).startsWith("250 ");
        }
        return raw();
    }

    /** The stored message. */
    private String raw() {
        return new String(stored.getLast().octets().toByteArray(), StandardCharsets.ISO_8859_1);
    }

    private static String signed(LocalDns dns, String message) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPair keys = generator.generateKeyPair();
        dns.serve("k._domainkey.example.org. TXT \"p="
                + Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()) + "\"\n");
        String template = "v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=k; h=from:to:subject; bh=; b=;";
        return new DKIMSigner(template, keys.getPrivate())
                        .sign(new ByteArrayInputStream(message.getBytes(StandardCharsets.ISO_8859_1)))
                + "\r\n" + message;
    }

    @Test
    void verdictsReplaceAForgedFieldOnTopAndFieldsOfOtherServersStay() throws Exception {
        dns.serve("""
                example.org. TXT "v=spf1 ip4:127.0.0.1 -all"
                client.example. TXT "v=spf1 -all"
                _dmarc.example.org. TXT "v=DMARC1; p=reject"
                """);
        String message = "Authentication-Results: other.example; dkim=pass header.d=bank.example\r\n"
                + signed(dns, FROM + "Subject: Hello\r\n\r\nbody\r\n");

        String raw = send("Authentication-Results: mx.example; dmarc=pass header.from=bank.example\r\n" + message);

        String mark = raw.replaceFirst("(?s).* header\\.b=([^;]+);.*", "$1");
        assertThat(raw).startsWith("""
                Authentication-Results: mx.example;
                \tspf=pass smtp.mailfrom=example.org;
                \tspf=fail smtp.helo=client.example;
                \tdkim=pass header.d=example.org header.s=k header.a=rsa-sha256 header.b=%s;
                \tdmarc=pass header.from=example.org policy.dmarc=reject
                """.formatted(mark).replace("\n", "\r\n") + TRACE);
        MailTransaction transaction = stored.getLast();
        assertThat(transaction.octets().length()).isEqualTo(raw.length());
        assertThat(raw.substring(transaction.octets().traceLength())).isEqualTo(message);
        assertThat(transaction.verdicts()).isEqualTo("spf=pass dkim=pass dmarc=pass");
    }

    /** The first waits for DNS on a thread of its own; the second is checked on the thread of its session. */
    @Test
    void nextMessageOfASenderHasTheSameVerdictsWithoutAQuery() throws Exception {
        dns.serve("""
                example.org. TXT "v=spf1 ip4:127.0.0.1 -all"
                client.example. TXT "v=spf1 -all"
                _dmarc.example.org. TXT "v=DMARC1; p=reject"
                """);
        byte[] message = signed(dns, FROM + "Subject: Hello\r\n\r\nbody\r\n").getBytes(StandardCharsets.ISO_8859_1);
        try (SmtpTestServer server = checkingServer(Map.of());
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("EHLO client.example");
            List<String> recipients = List.of("open1@in.example");
            assertThat(client.send("sender@example.org", recipients, message)).startsWith("250 ");
            String first = results(raw());
            int queries = dns.queries();

            assertThat(client.send("sender@example.org", recipients, message)).startsWith("250 ");

            assertThat(first).contains("spf=pass", "dkim=pass", "dmarc=pass");
            assertThat(results(raw())).isEqualTo(first);
            assertThat(dns.queries()).isEqualTo(queries);
        }
    }

    private static String results(String raw) {
        return raw.substring(0, raw.indexOf("Return-Path: "));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/verdicts.txt", delimiter = '|', quoteCharacter = '\'')
    void messageHasVerdicts(String zone, String sender, String message, String verdicts) throws Exception {
        dns.serve(zone.translateEscapes());

        String raw = send(Map.of(), "", sender, utf8(message.translateEscapes()));

        assertThat(raw).contains("\r\nReturn-Path: ");
        assertThat(raw.substring(0, raw.indexOf("\r\nReturn-Path: ")).replace("\r\n\t", " "))
                .isEqualTo("Authentication-Results: mx.example; " + verdicts);
    }

    /** A character is an octet of the text in UTF-8. */
    private static String utf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @Test
    void clientOfTheProxyHeaderIsChecked() throws Exception {
        dns.serve("example.org. TXT \"v=spf1 ip4:192.0.2.1 -all\"\n");

        String raw = send(
                Map.of("proxy-networks", "127.0.0.0/8"),
                "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\n",
                "sender@example.org",
                FROM + "\r\nbody\r\n");

        assertThat(raw).contains("\tspf=pass smtp.mailfrom=example.org;").contains("([192.0.2.1])");
    }

    @Test
    void signedMessageInManySegmentsPasses() throws Exception {
        String message =
                signed(dns, FROM + "Subject: Large\r\n\r\n" + "0123456789 abcdefghij\t  klm \r\n".repeat(30_000));

        assertThat(send(message)).contains("\tdkim=pass header.d=example.org ");
    }

    @Test
    void mailIsStoredWhenTheNameServerIsSilent() throws Exception {
        dns.fail("example.org", Fault.SILENT)
                .fail("client.example", Fault.SILENT)
                .fail("_dmarc.example.org", Fault.SILENT)
                .fail("k._domainkey.example.org", Fault.SILENT);
        String message = "DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=k; h=from; bh=AAAA; b=AAAA\r\n" + FROM
                + "\r\nbody\r\n";

        String raw = send(
                Map.of("oneshot.dns.query-timeout", "200ms", "oneshot.authentication.timeout", "1s"),
                "",
                "sender@example.org",
                message);

        assertThat(raw)
                .contains("\tspf=temperror smtp.mailfrom=example.org;")
                .contains("\tdkim=temperror reason=\"key not known in time\" header.d=example.org ")
                .contains("\tdmarc=temperror header.from=example.org\r\n");
    }

    /** Each look-up waits 300 ms for the first server only once, so that the checks end in their second. */
    @Test
    void verdictsAreThoseOfTheServerThatResponds() throws Exception {
        dns.serve("""
                example.org. TXT "v=spf1 include:a.example.org include:b.example.org -all"
                a.example.org. TXT "v=spf1 -all"
                b.example.org. TXT "v=spf1 ip4:127.0.0.1 -all"
                _dmarc.example.org. TXT "v=DMARC1; p=reject"
                """);
        String message = signed(dns, FROM + "Subject: Hello\r\n\r\nbody\r\n");
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            String servers = "127.0.0.1:" + silent.getLocalPort() + "," + dns.address();

            String raw = send(
                    Map.of("oneshot.dns.servers", servers, "oneshot.authentication.timeout", "1s"),
                    "",
                    "sender@example.org",
                    message);

            assertThat(raw)
                    .contains("\tspf=pass smtp.mailfrom=example.org;")
                    .contains("\tspf=none smtp.helo=client.example;")
                    .contains("\tdkim=pass header.d=example.org ")
                    .contains("\tdmarc=pass header.from=example.org policy.dmarc=reject\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=?utf-8?q?=22=3B_dmarc=3Dpass_x=3D=22?=",
                "==?utf-8?q?=22=3B_dmarc=3Dpass_x=3D=22?=",
                "=\u00FFutf-8?q?=22=3B_dmarc=3Dpass_x=3D=22?=",
                "=?utf-8?b?IjsgZG1hcmM9cGFzcyB4PSI=?="
            })
    void encodedWordCannotWriteIntoTheField(String algorithm) throws Exception {
        String raw = send("DKIM-Signature: v=1; a=" + algorithm + "; d=signer.example; s=k; h=from; bh=AAAA; b=AAAA\r\n"
                + FROM + "\r\nbody\r\n");

        byte[] octets = raw.getBytes(StandardCharsets.ISO_8859_1);
        assertThat(MessageReader.read(octets, 0, octets.length, MessageLimits.DEFAULTS)
                        .headers()
                        .getFirst()
                        .value())
                .startsWith("mx.example; ")
                .contains("dkim=neutral reason=\"unknown algorithm\" header.d=signer.example header.s=k header.a=\"?")
                .endsWith("dmarc=none header.from=example.org")
                .doesNotContain("dmarc=pass");
    }

    @Test
    void domainThatIsTooLongForPunycodeCostsNoMail() throws Exception {
        String label = "\uFDFA".repeat(60);
        try (SmtpTestServer server = checkingServer(Map.of());
                SmtpClient client = SmtpClient.greeted(server.port())) {
            assertThat(client.say("MAIL FROM:<a@" + label + "> SMTPUTF8")).startsWith("250 ");
            client.say("RCPT TO:<open1@in.example>");
            client.say("DATA");
            client.write(("DKIM-Signature: v=1; a=rsa-sha256; d=" + label + "; s=k; h=from; bh=AAAA; b=AAAA\r\n"
                            + "Authentication-Results: " + label + "; spf=pass\r\nFrom: a@" + label
                            + "\r\n\r\nbody\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            assertThat(client.say(".")).startsWith("250 ");
        }

        assertThat(raw()).contains("\tdkim=").contains("\tdmarc=permerror\r\n");
    }

    @Test
    void recordThatIsHardToReadCostsNoVerdictButItsOwn() throws Exception {
        dns.serve("example.org. TXT \"v=spf1 a:x" + "/".repeat(200) + "\"" + (" \"" + "/".repeat(250) + "\"").repeat(20)
                + "\n_dmarc.example.org. TXT \"v=DMARC1; p=reject\"\n");

        String raw = send(FROM + "\r\nbody\r\n");

        assertThat(raw)
                .contains("\tspf=permerror smtp.mailfrom=example.org;")
                .contains("\tdmarc=fail header.from=example.org policy.dmarc=reject\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00EF\u00BB\u00BFFrom: boss@bank.example\r\n",
                " From: boss@bank.example\r\n",
                "no field\r\n",
                "--boundary: x\r\n",
                "X: y\r\n\r\r\nText of a forger\r\n",
                "X\u007F: y\r\n",
                "X: y\rFrom: ceo@other.example\r\n",
                "X: y\r\r\n"
            })
    void signatureBelowALineThatIsNoFieldIsNotBelieved(String line) throws Exception {
        dns.serve("_dmarc.example.org. TXT \"v=DMARC1; p=reject\"\n");
        String signed = signed(dns, FROM + "Subject: Hello\r\n\r\nbody\r\n");
        assertThat(send(signed)).contains("\tdkim=pass ").contains("\tdmarc=pass ");

        assertThat(send(line + signed))
                .contains("\tdkim=neutral reason=\"header section has lines that are no fields\"")
                .contains("\tdmarc=permerror\r\n");
    }

    @Test
    void nothingIsAddedIfVerdictsAreOff() throws Exception {
        int queries = dns.queries();

        String raw = send(
                Map.of("oneshot.authentication.enabled", "false"), "", "sender@example.org", FROM + "\r\nbody\r\n");

        assertThat(raw).startsWith(TRACE);
        assertThat(dns.queries()).isEqualTo(queries);
    }
}
