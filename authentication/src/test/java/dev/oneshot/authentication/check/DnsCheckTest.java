package dev.oneshot.authentication.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.testing.LocalDns;
import dev.oneshot.testing.LocalDns.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The example zone of docs/dns.md is right, and each record that is missing or wrong is named. */
class DnsCheckTest {

    private static final Path PAGE = Path.of("../docs/dns.md");

    private final LocalDns server = new LocalDns();
    private final List<String> lines = new ArrayList<>();
    private String zone = "";

    @BeforeEach
    void readZone() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("```zone\n") + 8;
        zone = page.substring(begin, page.indexOf("```", begin));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private int check(String domain, String selector) {
        return new DnsCheck(DnsCheck.servers(server.address()), lines::add).run(domain, selector);
    }

    @Test
    void exampleZoneIsRight() {
        server.serve(zone);

        assertThat(check("in.example.com", "") + check("mail.example.com", "s2026a"))
                .as(String.join("\n", lines))
                .isZero();

        assertThat(lines)
                .contains(
                        "ok       MX in.example.com: mx1.example.com",
                        "ok       PTR 192.0.2.25: mx1.example.com",
                        "ok       SPF in.example.com: v=spf1 -all",
                        "skipped  DKIM: name the selector after the domain")
                .anyMatch(line -> line.startsWith("ok       DKIM s2026a._domainkey.mail.example.com: "));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/dns-faults.txt", delimiter = '|', quoteCharacter = '\'')
    void recordThatIsMissingOrWrongIsNamed(String record, String instead, String line) {
        String changed = zone.replaceAll("(?m)^" + record + "$", instead == null ? "" : instead.replace(" & ", "\n"));
        assertThat(changed).isNotEqualTo(zone);
        server.serve(changed);

        int faults = check("in.example.com", "") + check("mail.example.com", "s2026a");

        assertThat(faults).isPositive();
        assertThat(lines).anyMatch(printed -> printed.startsWith(line));
    }

    @ParameterizedTest
    @CsvSource({
        "RSA, 1008, wrong    DKIM k._domainkey.example.com: RSA key under 1024 bits",
        "RSA, 1024, 'warning  DKIM k._domainkey.example.com: an RSA key of 1024 bits, which should have 2048'",
        "RSA, 2040, 'warning  DKIM k._domainkey.example.com: an RSA key of 2040 bits, which should have 2048'",
        "RSA, 2048, ok       DKIM k._domainkey.example.com: an RSA key of 2048 bits",
        "Ed25519, 255, ok       DKIM k._domainkey.example.com: an Ed25519 key"
    })
    void dkimKeyIsMeasuredInBits(String algorithm, int bits, String line) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        byte[] octets = generator.generateKeyPair().getPublic().getEncoded();
        // RFC 8463: without the algorithm in front.
        byte[] key = algorithm.equals("RSA") ? octets : Arrays.copyOfRange(octets, octets.length - 32, octets.length);
        String text = "k=" + algorithm.toLowerCase(Locale.ROOT) + "; p="
                + Base64.getEncoder().encodeToString(key).replaceAll(".{200}", "$0\" \"");
        server.serve("k._domainkey.example.com. TXT \"" + text + "\"\n");

        check("example.com", "k");

        assertThat(lines).contains(line);
    }

    @Test
    void shortKeyIsAWarningOnlyAndSeveralReportAddressesAreRight() {
        server.serve("""
                mail.example.com. MX 10 mx1.example.com.
                s._domainkey.mail.example.com. TXT "p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYf" "cTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB"
                _dmarc.mail.example.com. TXT "v=DMARC1; p=None; rua=mailto:a@example.com, mailto:b@example.com!10m; ruf=mailto:c@example.com"
                """);
        int faults = check("mail.example.com", "");
        lines.clear();

        // Each check counts for itself.
        assertThat(check("mail.example.com", "s")).isEqualTo(faults);

        assertThat(lines).anyMatch(line -> line.startsWith("warning  DKIM s._domainkey.mail.example.com: "));
        assertThat(lines).anyMatch(line -> line.startsWith("ok       DMARC _dmarc.mail.example.com: "));
    }

    @Test
    void internationalDomainIsAskedForByItsALabels() {
        server.serve("xn--bcher-kva.example. TXT \"v=spf1 -all\"\n");

        check("B\u00fccher.example", "");

        assertThat(lines).contains("ok       SPF xn--bcher-kva.example: v=spf1 -all");
    }

    @ParameterizedTest
    @CsvSource({
        "b\uFFFDcher.example, '', b\uFFFDcher.example",
        "a..example, '', a..example",
        "example.com, a b, a b._domainkey.example.com"
    })
    void argumentThatIsNoDomainNameIsNamed(String domain, String selector, String named) {
        assertThatThrownBy(() -> check(domain, selector))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no domain name: " + named);
    }

    @Test
    void serverThatFailsForANameEndsOnlyTheCheckOfThatName() {
        server.fail("in.example.com", Fault.SERVER_FAILURE);

        assertThat(check("in.example.com", "")).isPositive();
        assertThat(lines).anyMatch(line -> line.startsWith("unknown  MX in.example.com"));
        assertThat(lines).anyMatch(line -> line.startsWith("missing  DMARC _dmarc.in.example.com"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:99999", "127.0.0.1:x", "ns.example", "1.2.3.4.5"})
    void serverThatIsNoAddressIsNamed(String server) {
        assertThatThrownBy(() -> DnsCheck.servers(server))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("ONESHOT_DNS_SERVERS: not an address")
                .hasMessageEndingWith(server);
    }
}
