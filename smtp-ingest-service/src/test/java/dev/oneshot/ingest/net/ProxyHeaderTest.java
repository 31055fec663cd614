package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.net.ProxyHeader.Reading;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ProxyHeaderTest {

    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    @Test
    void textHeaderNamesTheClient() {
        assertThat(text("PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\nEHLO"))
                .isEqualTo(new Reading.Client(InetAddress.ofLiteral("192.0.2.1"), 44));
        assertThat(text("PROXY TCP6 2001:db8::1 2001:db8::2 56324 25\r\n"))
                .isEqualTo(new Reading.Client(InetAddress.ofLiteral("2001:db8::1"), 45));
    }

    @Test
    void clientOverIpv4OfABalancerThatListensForBothIsTheOneItIs() {
        assertThat(text("PROXY TCP6 ::ffff:192.0.2.1 ::ffff:198.51.100.1 56324 25\r\n"))
                .isEqualTo(new Reading.Client(InetAddress.ofLiteral("192.0.2.1"), 58));
        assertThat(text("PROXY TCP4 ::ffff:192.0.2.1 ::ffff:198.51.100.1 56324 25\r\n"))
                .isInstanceOf(Reading.Malformed.class);
        assertThat(binary("21210024", "00000000000000000000ffffc000020100000000000000000000ffffc633640104d20019"))
                .isEqualTo(new Reading.Client(InetAddress.ofLiteral("192.0.2.1"), 52));
    }

    @Test
    void textHeaderOfUnknownProtocolNamesNobody() {
        assertThat(text("PROXY UNKNOWN\r\n")).isEqualTo(new Reading.Unnamed(15));
        assertThat(text("PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\n")).isInstanceOf(Reading.Unnamed.class);
    }

    @Test
    void textHeaderThatIsWrongIsMalformed() {
        assertThat(text("PROXY TCP4 192.0.2.1\r\n")).isInstanceOf(Reading.Malformed.class);
        assertThat(text("PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n")).isInstanceOf(Reading.Malformed.class);
        assertThat(text("PROXY TCP4 999.0.2.1 192.0.2.2 1 2\r\n")).isInstanceOf(Reading.Malformed.class);
        assertThat(text("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n")).isInstanceOf(Reading.Malformed.class);
        assertThat(text("PROXY TCP4 192.0.2.1 192.0.2.2 65536 2\r\n")).isInstanceOf(Reading.Malformed.class);
        assertThat(text("PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n")).isInstanceOf(Reading.Malformed.class);
        assertThat(text("PROXY TCP4 192.0.2.1 192.0.2.2 1 99999\r\n")).isInstanceOf(Reading.Malformed.class);
        assertThat(text("PROXY TCP4 192.0.2.1 192.0.2.2 65535 65535\r\n")).isInstanceOf(Reading.Client.class);
        assertThat(text("EHLO client.example\r\n")).isInstanceOf(Reading.Malformed.class);
        assertThat(text("PROXY UNKNOWN " + "x".repeat(92) + "\r\n")).isInstanceOf(Reading.Malformed.class);
        assertThat(text("PROXY UNKNOWN " + "x".repeat(91) + "\r\n")).isInstanceOf(Reading.Unnamed.class);
    }

    @Test
    void binaryHeaderNamesTheClient() {
        assertThat(binary("2111000c", "c0000201c633640104d20019"))
                .isEqualTo(new Reading.Client(InetAddress.ofLiteral("192.0.2.1"), 28));
        assertThat(binary("21210024", "20010db800000000000000000000000120010db800000000000000000000000204d20019"))
                .isEqualTo(new Reading.Client(InetAddress.ofLiteral("2001:db8::1"), 52));
    }

    @Test
    void extensionsOfTheBinaryHeaderAreSkipped() {
        assertThat(binary("21110010", "c0000201c633640104d20019" + "aabbccdd"))
                .isEqualTo(new Reading.Client(InetAddress.ofLiteral("192.0.2.1"), 32));
    }

    @Test
    void binaryHeaderOfTheBalancerItselfNamesNobody() {
        assertThat(binary("20000000", "")).isEqualTo(new Reading.Unnamed(16));
        assertThat(binary("21000000", "")).isEqualTo(new Reading.Unnamed(16));
    }

    @Test
    void binaryHeaderThatIsWrongIsMalformed() {
        assertThat(binary("1111000c", "c0000201c633640104d20019")).isInstanceOf(Reading.Malformed.class);
        assertThat(binary("21110004", "c0000201")).isInstanceOf(Reading.Malformed.class);
        assertThat(binary("21110801", "")).isInstanceOf(Reading.Malformed.class);
        assertThat(binary("21110800", "")).isInstanceOf(Reading.Incomplete.class);
    }

    @Test
    void everyPrefixOfAHeaderIsIncomplete() {
        byte[] text = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] binary = HexFormat.of().parseHex(SIGNATURE + "2111000c" + "c0000201c633640104d20019");
        for (byte[] header : new byte[][] {text, binary}) {
            for (int length = 0; length < header.length; length++) {
                assertThat(ProxyHeader.read(ByteBuffer.wrap(header, 0, length)))
                        .as("%d octets", length)
                        .isInstanceOf(Reading.Incomplete.class);
            }
        }
    }

    @Property
    void anyOctetsAreReadWithoutAnException(@ForAll byte[] octets) {
        assertThat(ProxyHeader.read(ByteBuffer.wrap(octets))).isNotNull();
        ByteBuffer behindSignature = ByteBuffer.allocate(12 + octets.length)
                .put(HexFormat.of().parseHex(SIGNATURE))
                .put(octets)
                .flip();
        assertThat(ProxyHeader.read(behindSignature)).isNotNull();
    }

    @Test
    void networkContainsItsAddressesOnly() {
        assertThat(Network.of("10.0.0.0/8").contains(InetAddress.ofLiteral("10.255.0.1")))
                .isTrue();
        assertThat(Network.of("10.0.0.0/8").contains(InetAddress.ofLiteral("11.0.0.0")))
                .isFalse();
        assertThat(Network.of("192.0.2.128/25").contains(InetAddress.ofLiteral("192.0.2.128")))
                .isTrue();
        assertThat(Network.of("192.0.2.128/25").contains(InetAddress.ofLiteral("192.0.2.127")))
                .isFalse();
        assertThat(Network.of("192.0.2.1").contains(InetAddress.ofLiteral("192.0.2.1")))
                .isTrue();
        assertThat(Network.of("192.0.2.1").contains(InetAddress.ofLiteral("192.0.2.2")))
                .isFalse();
        assertThat(Network.of("::/0").contains(InetAddress.ofLiteral("2001:db8::1")))
                .isTrue();
        assertThat(Network.of("::/0").contains(InetAddress.ofLiteral("192.0.2.1")))
                .isFalse();
    }

    private static Reading text(String header) {
        return ProxyHeader.read(ByteBuffer.wrap(header.getBytes(StandardCharsets.US_ASCII)));
    }

    private static Reading binary(String command, String payload) {
        return ProxyHeader.read(ByteBuffer.wrap(HexFormat.of().parseHex(SIGNATURE + command + payload)));
    }
}
