package dev.oneshot.api.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.error.ApiException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictUtf8Test {

    /** Overlong forms, surrogates, characters above U+10FFFF, and bytes that are missing or stray. */
    @Test
    void malformedIsRejected() {
        String malformed = "c181 c080 e08080 e09fbf f0808080 f08fbfbf eda080 edbfbf eda0bdedb880 f4908080 f5808080"
                + " ff fe 80 bf c2 e282 f09f98 c241 e28241 f09f9841 f8888080 2280";
        for (String hex : malformed.split(" ", -1)) {
            byte[] bytes = HexFormat.of().parseHex(hex);

            assertThatThrownBy(() -> new StrictUtf8(new ByteArrayInputStream(bytes)).readAllBytes())
                    .as(hex)
                    .isInstanceOf(ApiException.class)
                    .hasMessage("the body must be JSON in UTF-8");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "é", "\u0080\u07ff\u0800\ud7ff\ue000\uffff", "😀", "\ud800\udc00\udbff\udfff"})
    void wellFormedIsUnchanged(String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);

        assertThat(new StrictUtf8(new ByteArrayInputStream(bytes)).readAllBytes())
                .isEqualTo(bytes);
        assertThat(singly(bytes)).isTrue();
    }

    /** The same as Java's decoder, in whatever pieces it is read. */
    @Property
    void agreesWithJava(@ForAll @Size(max = 6) @ByteRange(min = -128, max = 127) byte[] bytes) throws IOException {
        assertThat(singly(bytes)).isEqualTo(isJavas(bytes));
    }

    private static boolean isJavas(byte[] bytes) {
        try {
            var _ = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean singly(byte[] bytes) throws IOException {
        try (InputStream in = new StrictUtf8(new ByteArrayInputStream(bytes))) {
            int octet;
            do {
                octet = in.read();
            } while (octet >= 0);
            return true;
        } catch (ApiException e) {
            return false;
        }
    }
}
