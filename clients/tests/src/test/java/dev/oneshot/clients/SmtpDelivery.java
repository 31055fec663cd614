package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Delivers mail over SMTP, as an application under test makes its mail server do. */
final class SmtpDelivery {

    private SmtpDelivery() {}

    /**
     * Delivers a message from ada@example.org.
     *
     * @param message lines of ASCII that end with LF and do not begin with a dot
     */
    static void deliver(LocalStack stack, String address, String message) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.ofLiteral("127.0.0.1"), stack.settings().port(Port.SMTP))) {
            BufferedReader replies =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            expect(replies, "220");
            for (String line :
                    new String[] {"EHLO client.example", "MAIL FROM:<ada@example.org>", "RCPT TO:<" + address + ">"}) {
                say(socket, line + "\r\n");
                expect(replies, "250");
            }
            say(socket, "DATA\r\n");
            expect(replies, "354");
            say(socket, message.replace("\n", "\r\n") + "\r\n.\r\n");
            expect(replies, "250");
            say(socket, "QUIT\r\n");
            expect(replies, "221");
        }
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void expect(BufferedReader replies, String code) throws IOException {
        String line = replies.readLine();
        while (line != null && line.startsWith(code + "-")) {
            line = replies.readLine();
        }
        assertThat(line).startsWith(code);
    }
}
