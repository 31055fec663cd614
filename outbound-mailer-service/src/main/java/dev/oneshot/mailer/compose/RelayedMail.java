package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.PostmasterMail;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A received message that is relayed octet by octet, without a signature of ours. Its reverse-path is null, so no
 * server replies to it (RFC 5321 §4.5.5).
 *
 * @param internationalized whether the header section has UTF-8 that is not ASCII
 */
public record RelayedMail(String forwardPath, Octets raw, boolean internationalized, boolean eightBit)
        implements SmtpMail {

    public static RelayedMail of(PostmasterMail mail) {
        Octets raw = mail.raw();
        int headerBytes = headerBytes(raw);
        boolean eightBitHeader = isEightBit(raw, headerBytes);
        return new RelayedMail(
                mail.to(),
                raw,
                eightBitHeader && isUtf8(raw, headerBytes),
                eightBitHeader || isEightBit(raw, raw.length()));
    }

    private static int headerBytes(Octets raw) {
        byte[] octets = raw.array();
        int end = raw.offset() + raw.length();
        for (int i = raw.offset(); i + 3 < end; i++) {
            if (octets[i] == '\r' && octets[i + 1] == '\n' && octets[i + 2] == '\r' && octets[i + 3] == '\n') {
                return i - raw.offset();
            }
        }
        return raw.length();
    }

    private static boolean isEightBit(Octets raw, int length) {
        for (int i = raw.offset(); i < raw.offset() + length; i++) {
            if (raw.array()[i] < 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUtf8(Octets raw, int length) {
        try {
            var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw.array(), raw.offset(), length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    @Override
    public String reversePath() {
        return "";
    }

    @Override
    public @Nullable SmtpMail sevenBit() {
        return null;
    }

    @Override
    public void writeTo(OutputStream to) throws IOException {
        to.write(raw.array(), raw.offset(), raw.length());
    }
}
