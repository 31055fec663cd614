package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.smallrye.common.net.CidrAddress;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyHeaderTest {

    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    /** A text header, or what follows the signature of a binary one in hexadecimal digits. */
    @ParameterizedTest
    @CsvFileSource(resources = "/proxy-headers.txt", delimiter = '|')
    void headerNamesTheClientOrIsRefused(String header, String client) {
        byte[] octets = header.matches("[0-9a-f]+")
                ? HexFormat.of().parseHex(SIGNATURE + header)
                : (header + "\r\n").getBytes(StandardCharsets.US_ASCII);

        if (client.equals("refused")) {
            assertThat(isRefused(octets)).isTrue();
        } else {
            assertNames(octets, client.equals("none") ? null : client);
        }
    }

    @Test
    void headerWithoutAnEndIsNoHeader() {
        assertThat(isRefused("PROXY UNKNOWN ".repeat(20).getBytes(StandardCharsets.US_ASCII)))
                .isTrue();
        assertThat(isRefused(HexFormat.of().parseHex(SIGNATURE + "2111ffff" + "00".repeat(3000))))
                .isTrue();
    }

    @Property
    void anyOctetsAreReadOrRefused(@ForAll byte[] octets) {
        byte[] signature = HexFormat.of().parseHex(SIGNATURE);
        byte[] behindSignature = Arrays.copyOf(signature, signature.length + octets.length);
        System.arraycopy(octets, 0, behindSignature, signature.length, octets.length);

        var _ = isRefused(octets);
        var _ = isRefused(behindSignature);
    }

    @Property
    void anyAddressInATextHeaderIsReadOrRefused(
            @ForAll @CharRange(from = '0', to = '9') @Chars({'a', 'f', ':', '.', '%'}) @StringLength(max = 45)
                    String source) {
        String ipv4 = "PROXY TCP4 " + source + " 192.0.2.1 56324 25\r\n";
        String ipv6 = "PROXY TCP6 " + source + " 2001:db8::1 56324 25\r\n";

        var _ = isRefused(ipv4.getBytes(StandardCharsets.US_ASCII));
        var _ = isRefused(ipv6.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, 11.0.0.0",
        "192.0.2.128/25, 192.0.2.128, 192.0.2.127",
        "192.0.2.1, 192.0.2.1, 192.0.2.2",
        "2001:db8::1, 2001:db8::1, 2001:db8::2",
        "::/0, 2001:db8::1, 192.0.2.1",
    })
    void networkContainsItsAddressesOnly(String network, String inside, String outside) {
        CidrAddress range = new NetworkConverter().convert(network);

        assertThat(range.matches(InetAddress.ofLiteral(inside))).isTrue();
        assertThat(range.matches(InetAddress.ofLiteral(outside))).isFalse();
    }

    /** Read octet by octet, with a rest. */
    private static void assertNames(byte[] header, @Nullable String client) {
        EmbeddedChannel channel = new EmbeddedChannel(ProxyHeader.decoder());
        for (int i = 0; i < header.length - 1; i++) {
            assertThat(channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {header[i]})))
                    .isFalse();
        }
        byte[] end = {header[header.length - 1], 'E', 'H', 'L', 'O'};
        channel.writeInbound(Unpooled.wrappedBuffer(end));
        HAProxyMessage message = channel.readInbound();
        ByteBuf rest = channel.readInbound();

        assertThat(ProxyHeader.client(message))
                .isEqualTo(Optional.ofNullable(client).map(InetAddress::ofLiteral));
        assertThat(message.refCnt()).isZero();
        assertThat(rest.toString(StandardCharsets.US_ASCII)).isEqualTo("EHLO");
    }

    private static boolean isRefused(byte[] octets) {
        try {
            EmbeddedChannel channel = new EmbeddedChannel(ProxyHeader.decoder());
            channel.writeInbound(Unpooled.wrappedBuffer(octets));
            if (channel.readInbound() instanceof HAProxyMessage message) {
                var _ = ProxyHeader.client(message);
            }
            return false;
        } catch (DecoderException e) {
            return true;
        }
    }
}
