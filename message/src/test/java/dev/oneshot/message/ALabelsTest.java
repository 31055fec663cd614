package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.IDN;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ALabelsTest {

    /** The values are those of UTS 46 without transitional processing, and of the registries. */
    @ParameterizedTest
    @CsvSource({
        "example.org, example.org",
        "bücher.example, xn--bcher-kva.example",
        "例え.jp, xn--r8jz45g.jp",
        "faß.de, xn--fa-hia.de",
        "straße.example, xn--strae-oqa.example",
        "STRAẞE.example, xn--strae-oqa.example",
        "STRASSE.example, STRASSE.example",
        "βόλος.com, xn--nxasmm1c.com",
        "βόλοσ.com, xn--nxasmq6b.com",
        "ß.example, xn--zca.example",
        "größe.straße.bücher.de, xn--gre-6ka8i.xn--strae-oqa.xn--bcher-kva.de",
        "a。faß｡de, a.xn--fa-hia.de",
        "faß.de., xn--fa-hia.de."
    })
    void domainHasTheLabelsOfItsOwner(String domain, String labels) {
        assertThat(ALabels.of(domain, IDN.USE_STD3_ASCII_RULES)).isEqualTo(labels);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ß\u200Da.example",
                "a\u200Db.example",
                "ß\u00ADa.example",
                "-ß.example",
                "ß-.example",
                "ß_.example",
                "ß .example",
                "xn--ß.example",
                "ßא.example",
                "ß..example",
                "ß\uD800.example",
                "\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA.example"
            })
    void domainWithoutCertainLabelsIsRejected(String domain) {
        assertThatThrownBy(() -> ALabels.of(domain, IDN.USE_STD3_ASCII_RULES))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The JDK encodes in the same way what both standards allow. */
    @Property
    void labelIsEncodedAsTheJdkDoes(
            @ForAll @CharRange(from = '\u0400', to = '\u04FF') @StringLength(min = 1, max = 8) String any) {
        String label = "a-" + any.toLowerCase(Locale.ROOT);

        assertThat("xn--" + ALabels.punycode(label.codePoints().toArray()))
                .isEqualTo(IDN.toASCII(label, IDN.ALLOW_UNASSIGNED));
    }

    @Property
    void anyTextHasLabelsOrIsRejected(@ForAll String text) {
        for (String domain : new String[] {text, text + "ß", "ß" + text}) {
            try {
                assertThat(ALabels.of(domain, IDN.ALLOW_UNASSIGNED)).isNotNull();
            } catch (IllegalArgumentException e) {
                assertThat(e).isNotNull();
            }
        }
    }
}
