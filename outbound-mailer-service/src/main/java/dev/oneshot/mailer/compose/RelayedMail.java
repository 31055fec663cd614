package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.Octets;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A received message that is relayed byte by byte, without a signature of ours. Its reverse-path is null, so no
 * server replies to it (RFC 5321 §4.5.5).
 */
public record RelayedMail(String forwardPath, Octets raw) implements SmtpMail {

    @Override
    public String reversePath() {
        return "";
    }

    @Override
    public boolean eightBit() {
        for (int i = raw.offset(); i < raw.offset() + raw.length(); i++) {
            if (raw.array()[i] < 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void writeTo(OutputStream to) throws IOException {
        to.write(raw.array(), raw.offset(), raw.length());
    }
}
