package dev.oneshot.mailer.compose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.event.Octets;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SmtpMailTest {

    @Test
    void eightBitOctetsAnywhereNeed8BitMimeAlone() {
        assertEightBit("Subject: s\r\n\r\nGr\u00FC\u00DFe", StandardCharsets.UTF_8, true);
        assertEightBit("Subject: Gr\u00FC\u00DFe\r\n\r\ns", StandardCharsets.UTF_8, true);
        assertEightBit("Subject: Gr\u00FC\u00DFe\r\n\r\ns", StandardCharsets.ISO_8859_1, true);
        assertEightBit("Subject: s\r\n\r\ns", StandardCharsets.UTF_8, false);
        assertEightBit("", StandardCharsets.UTF_8, false);
    }

    private static void assertEightBit(String text, Charset charset, boolean eightBit) {
        SmtpMail mail = SmtpMail.relayed("ops@example.org", Octets.of(text.getBytes(charset)));
        assertThat(mail.eightBit()).as(text).isEqualTo(eightBit);
        assertThat(mail.internationalized()).as(text).isFalse();
    }
}
