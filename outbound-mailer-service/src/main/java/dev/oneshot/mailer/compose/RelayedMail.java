package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.PostmasterMail;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A received message that is relayed byte by byte, without a signature of ours. Its reverse-path is null, so no
 * server replies to it (RFC 5321 §4.5.5).
 */
public record RelayedMail(String forwardPath, Octets raw, boolean eightBit) implements SmtpMail {

    public static RelayedMail of(PostmasterMail mail) {
        return new RelayedMail(mail.to(), mail.raw(), isEightBit(mail.raw()));
    }

    private static boolean isEightBit(Octets raw) {
        for (int i = raw.offset(); i < raw.offset() + raw.length(); i++) {
            if (raw.array()[i] < 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String reversePath() {
        return "";
    }

    /** Never: its envelope is ASCII. More relays take UTF-8 in a header by 8BITMIME than offer SMTPUTF8. */
    @Override
    public boolean internationalized() {
        return false;
    }

    @Override
    public void writeTo(OutputStream to) throws IOException {
        to.write(raw.array(), raw.offset(), raw.length());
    }
}
