package dev.oneshot.ingest.smtp.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.ReversePath;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrammarTest {

    @Property
    void mailboxIsReadBackFromWhatItIsWrittenAs(@ForAll("mailboxes") Mailbox mailbox) {
        String path = "<" + mailbox + ">";

        assertThat(Grammar.path(path)).contains(new Grammar.Path(mailbox.localPart(), mailbox.domain(), path.length()));
        assertThat(Grammar.mailbox(mailbox.toString())).contains(mailbox);
    }

    @Property
    void localPartAloneIsReadBackInAReversePathOnly(@ForAll("mailboxes") Mailbox mailbox) {
        String path = "<" + new ReversePath.Local(mailbox.localPart()).text() + ">";

        assertThat(Grammar.reversePath(path)).contains(new Grammar.Path(mailbox.localPart(), "", path.length()));
        assertThat(Grammar.path(path)).isEmpty();
    }

    @Property
    void anyTextIsReadWithoutAnException(@ForAll String text) {
        assertThat(Grammar.path(text))
                .matches(path -> path.isEmpty() || path.get().end() <= text.length());
        assertThat(Grammar.path("<" + text + ">"))
                .matches(path -> path.isEmpty() || path.get().end() <= text.length() + 2);
    }

    @Property
    void anyAddressLiteralIsReadWithoutAnException(@ForAll("literals") String inside) {
        assertThat(Grammar.path("<a@[" + inside + ">")).isEmpty();
        assertThatCode(() -> Grammar.path("<a@[" + inside + "]>")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "true, x400:c=de IPv6:fe80::1 IPv6:::ffff:192.0.2.1 0.0.0.0 255.255.255.255",
        "false, x400: -:a IPv6:fe80::1%eth0 256.0.0.1 1.2.3 1.2.3.4. 0001.2.3.4 1.2.3.x"
    })
    void onlyTheseTextsInBracketsAreAddressLiterals(boolean literal, String texts) {
        assertThat(texts.split(" "))
                .allMatch(text -> Grammar.path("<a@[" + text + "]>").isPresent() == literal);
    }

    @ParameterizedTest
    @CsvSource({"255, true", "256, false"})
    void domainHasABound(int length, boolean valid) {
        String domain = "d".repeat(length);

        assertThat(Grammar.path("<a@" + domain + ">").isPresent()).isEqualTo(valid);
        assertThat(Grammar.path("<@" + domain + ":a@b.example>").isPresent()).isEqualTo(valid);
    }

    @Provide
    Arbitrary<Mailbox> mailboxes() {
        Arbitrary<String> localParts = Arbitraries.strings()
                .withCharRange(' ', '~')
                .withChars('\u00fc', '\u4e2d')
                .ofMaxLength(60);
        Arbitrary<String> domains =
                Arbitraries.of("example.org", "a.b-c.example", "[192.0.2.1]", "b\u00fccher.example");
        return Combinators.combine(localParts, domains).as(Mailbox::new);
    }

    @Provide
    Arbitrary<String> literals() {
        return Arbitraries.strings().withChars("IPv6:.0123abcdf%-/ ").ofMaxLength(30);
    }
}
