package dev.oneshot.mailer.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SmtpChannelTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Test
    void everyAddressOfTheRelayIsTried() throws Exception {
        InetAddress unused = InetAddress.ofLiteral("127.0.0.2");
        try (ScriptedRelay server = new ScriptedRelay(new ScriptedRelay.Script() {})) {
            SmtpChannel channel = new SmtpChannel();

            channel.connect(new InetAddress[] {unused, InetAddress.getLoopbackAddress()}, server.port(), TIMEOUT);

            assertThat(channel.reply(TIMEOUT).code()).isEqualTo(220);
            channel.abort();
        }
    }

    @Test
    void abortedChannelDoesNotConnect() throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(new ScriptedRelay.Script() {})) {
            SmtpChannel channel = new SmtpChannel();
            channel.abort();

            assertThatThrownBy(() -> channel.connect(
                            new InetAddress[] {InetAddress.getLoopbackAddress()}, server.port(), TIMEOUT))
                    .isInstanceOf(SocketException.class);
            assertThat(server.connections()).isZero();
        }
    }
}
