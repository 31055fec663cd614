package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderTest {

    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    @ParameterizedTest
    @CsvSource({
        "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25, 192.0.2.1",
        "PROXY TCP6 2001:db8::1 2001:db8::2 56324 25, 2001:db8::1",
        // A balancer that listens for both writes a client over IPv4 so.
        "PROXY TCP6 ::ffff:192.0.2.1 ::ffff:198.51.100.1 56324 25, 192.0.2.1",
        // The zone names an interface of the balancer.
        "PROXY TCP6 fe80::1%balancer0 fe80::2%balancer0 56324 25, fe80::1",
        "PROXY UNKNOWN,",
        "PROXY UNKNOWN ffff::1 ffff::2 65535 65535,",
    })
    void textHeaderNamesTheClient(String header, String client) {
        assertNames((header + "\r\n").getBytes(StandardCharsets.US_ASCII), client);
    }

    @ParameterizedTest
    @CsvSource({
        "2111000cc0000201c633640104d20019, 192.0.2.1",
        "2121002420010db800000000000000000000000120010db800000000000000000000000204d20019, 2001:db8::1",
        "2121002400000000000000000000ffffc000020100000000000000000000ffffc633640104d20019, 192.0.2.1",
        // With an extension.
        "21110010c0000201c633640104d2001904000100, 192.0.2.1",
        // The balancer itself.
        "20000000,",
        "21000000,",
    })
    void binaryHeaderNamesTheClient(String header, String client) {
        assertNames(HexFormat.of().parseHex(SIGNATURE + header), client);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 192.0.2.1\r\n",
                "EHLO client.example\r\n",
            })
    void anotherLineIsNoHeader(String line) {
        assertThat(isRefused(line.getBytes(StandardCharsets.US_ASCII))).isTrue();
    }

    @Test
    void headerWithoutAnEndIsNoHeader() {
        assertThat(isRefused("PROXY UNKNOWN ".repeat(20).getBytes(StandardCharsets.US_ASCII)))
                .isTrue();
        assertThat(isRefused(HexFormat.of().parseHex(SIGNATURE + "2111ffff" + "00".repeat(3000))))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1111000cc0000201c633640104d20019", "21110004c0000201"})
    void binaryHeaderThatIsWrongIsNoHeader(String header) {
        assertThat(isRefused(HexFormat.of().parseHex(SIGNATURE + header))).isTrue();
    }

    @Property
    void anyOctetsAreReadOrRefused(@ForAll byte[] octets) {
        byte[] signature = HexFormat.of().parseHex(SIGNATURE);
        byte[] behindSignature = Arrays.copyOf(signature, signature.length + octets.length);
        System.arraycopy(octets, 0, behindSignature, signature.length, octets.length);

        assertThatCode(() -> {
                    var _ = isRefused(octets);
                    var _ = isRefused(behindSignature);
                })
                .doesNotThrowAnyException();
    }

    @Property
    void anyAddressInATextHeaderIsReadOrRefused(
            @ForAll @CharRange(from = '0', to = '9') @Chars({'a', 'f', ':', '.', '%'}) @StringLength(max = 45)
                    String source) {
        String ipv4 = "PROXY TCP4 " + source + " 192.0.2.1 56324 25\r\n";
        String ipv6 = "PROXY TCP6 " + source + " 2001:db8::1 56324 25\r\n";

        assertThatCode(() -> {
                    var _ = isRefused(ipv4.getBytes(StandardCharsets.US_ASCII));
                    var _ = isRefused(ipv6.getBytes(StandardCharsets.US_ASCII));
                })
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, 11.0.0.0",
        "192.0.2.128/25, 192.0.2.128, 192.0.2.127",
        "192.0.2.1, 192.0.2.1, 192.0.2.2",
        "::/0, 2001:db8::1, 192.0.2.1",
    })
    void networkContainsItsAddressesOnly(String network, String inside, String outside) {
        assertThat(Network.of(network).contains(InetAddress.ofLiteral(inside))).isTrue();
        assertThat(Network.of(network).contains(InetAddress.ofLiteral(outside))).isFalse();
    }

    /** Read octet by octet, with a rest. */
    private static void assertNames(byte[] header, String client) {
        EmbeddedChannel channel = new EmbeddedChannel(ProxyPreamble.decoder());
        for (int i = 0; i < header.length - 1; i++) {
            assertThat(channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {header[i]})))
                    .isFalse();
        }
        byte[] end = {header[header.length - 1], 'E', 'H', 'L', 'O'};
        channel.writeInbound(Unpooled.wrappedBuffer(end));
        HAProxyMessage message = channel.readInbound();
        ByteBuf rest = channel.readInbound();

        assertThat(ProxyPreamble.client(message))
                .isEqualTo(Optional.ofNullable(client).map(InetAddress::ofLiteral));
        assertThat(message.refCnt()).isZero();
        assertThat(rest.toString(StandardCharsets.US_ASCII)).isEqualTo("EHLO");
    }

    private static boolean isRefused(byte[] octets) {
        try {
            EmbeddedChannel channel = new EmbeddedChannel(ProxyPreamble.decoder());
            channel.writeInbound(Unpooled.wrappedBuffer(octets));
            if (channel.readInbound() instanceof HAProxyMessage message) {
                var _ = ProxyPreamble.client(message);
            }
            return false;
        } catch (DecoderException e) {
            return true;
        }
    }
}
