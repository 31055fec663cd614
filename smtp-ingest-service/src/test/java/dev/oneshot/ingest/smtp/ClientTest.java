package dev.oneshot.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The client in the field Received. */
class ClientTest {

    /** Address literals have no zone (RFC 5321 §4.1.3). */
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, [192.0.2.1]",
        "2001:db8::1, [IPv6:2001:db8:0:0:0:0:0:1]",
        "fe80::1%1, [IPv6:fe80:0:0:0:0:0:0:1]"
    })
    void anAddressLiteralHasNoZone(String address, String literal) {
        assertThat(new Client("s", InetAddress.ofLiteral(address), false).addressLiteral())
                .isEqualTo(literal);
    }
}
