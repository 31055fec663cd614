package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.testing.LocalDns;
import dev.oneshot.testing.LocalDns.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The example zone of docs/dns.md is right, and each record that is missing or wrong is named. */
class DnsCheckTest {

    private static final Path PAGE = Path.of("../../../docs/dns.md");

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
    @CsvSource(
            delimiter = '|',
            value = {
                "in.example.com. .*MX.* | | missing  MX in.example.com: ",
                "mail.example.com. .*MX.* | mail.example.com. MX 0 . | wrong    MX mail.example.com: ",
                "25.2.0.192.* | | missing  PTR 192.0.2.25: ",
                "25.2.0.192.* | 25.2.0.192.in-addr.arpa. PTR host.provider.example. | wrong    PTR 192.0.2.25: is host.provider.example",
                "mail.example.com. .*v=spf1.* | | missing  SPF mail.example.com: ",
                "mail.example.com. .*v=spf1.* | mail.example.com. TXT \"v=spf1 mx\" | wrong    SPF mail.example.com: ",
                "s2026a.* | | missing  DKIM s2026a._domainkey.mail.example.com: no key",
                "s2026a.* | s2026a._domainkey.mail.example.com. TXT \"v=DKIM1; p=\" | wrong    DKIM s2026a._domainkey.mail.example.com: the key is revoked",
                "s2026a.* | s2026a._domainkey.mail.example.com. TXT \"v=DKIM1; p=AAAA\" | wrong    DKIM s2026a._domainkey.mail.example.com: an RSA key",
                "_dmarc.mail.* | | missing  DMARC _dmarc.mail.example.com: ",
                "_dmarc.mail.* | _dmarc.mail.example.com. TXT \"v=DMARC1; p=maybe\" | wrong    DMARC _dmarc.mail.example.com: ",
                "_mta-sts.mail.* | | missing  MTA-STS _mta-sts.mail.example.com: ",
                "mta-sts.mail.* | | missing  MTA-STS host mta-sts.mail.example.com: ",
                "_smtp._tls.mail.* | | missing  TLS-RPT _smtp._tls.mail.example.com: ",
                "_smtp._tls.mail.* | _smtp._tls.mail.example.com. TXT \"v=TLSRPTv1;\" | wrong    TLS-RPT _smtp._tls.mail.example.com: ",
            })
    void recordThatIsMissingOrWrongIsNamed(String record, String instead, String line) {
        String changed = zone.replaceAll("(?m)^" + record + "$", instead == null ? "" : instead);
        assertThat(changed).isNotEqualTo(zone);
        server.serve(changed);

        int faults = check("in.example.com", "") + check("mail.example.com", "s2026a");

        assertThat(faults).isPositive();
        assertThat(lines).anyMatch(printed -> printed.startsWith(line));
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
                .isInstanceOf(StackException.class)
                .hasMessage("ONESHOT_DNS_SERVERS: no address: " + server);
    }
}
