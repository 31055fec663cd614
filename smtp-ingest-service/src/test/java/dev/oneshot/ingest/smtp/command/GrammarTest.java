package dev.oneshot.ingest.smtp.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.smtp.Mailbox;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class GrammarTest {

    @Property
    void mailboxIsReadBackFromWhatItIsWrittenAs(@ForAll("mailboxes") Mailbox mailbox) {
        Grammar grammar = new Grammar("<" + mailbox + ">");

        assertThat(grammar.path()).isEqualTo(mailbox);
        assertThat(grammar.atEnd()).isTrue();
    }

    @Property
    void anyTextIsReadWithoutAnException(@ForAll String text) {
        Grammar grammar = new Grammar(text);

        if (grammar.path() == null) {
            assertThat(grammar.rest()).isEqualTo(text);
        }
    }

    @Property
    void anyAddressLiteralIsReadWithoutAnException(@ForAll("literals") String inside) {
        Grammar grammar = new Grammar("[" + inside + "]");

        if (grammar.addressLiteral() == null) {
            assertThat(grammar.rest()).startsWith("[");
        }
    }

    @Test
    void generalAddressLiteralIsTaken() {
        assertThat(new Grammar("[x400:c=de]").addressLiteral()).isEqualTo("[x400:c=de]");
        assertThat(new Grammar("[x400:]").addressLiteral()).isNull();
        assertThat(new Grammar("[-:a]").addressLiteral()).isNull();
    }

    @Test
    void ipv6ScopeIsNoAddressLiteral() {
        assertThat(new Grammar("[IPv6:fe80::1%eth0]").addressLiteral()).isNull();
        assertThat(new Grammar("[IPv6:fe80::1]").addressLiteral()).isEqualTo("[IPv6:fe80::1]");
        assertThat(new Grammar("[IPv6:::ffff:192.0.2.1]").addressLiteral()).isEqualTo("[IPv6:::ffff:192.0.2.1]");
    }

    @Test
    void ipv4HasFourOctets() {
        assertThat(Grammar.isIpv4("0.0.0.0")).isTrue();
        assertThat(Grammar.isIpv4("255.255.255.255")).isTrue();
        assertThat(Grammar.isIpv4("256.0.0.1")).isFalse();
        assertThat(Grammar.isIpv4("1.2.3")).isFalse();
        assertThat(Grammar.isIpv4("1.2.3.4.")).isFalse();
        assertThat(Grammar.isIpv4("0001.2.3.4")).isFalse();
        assertThat(Grammar.isIpv4("1.2.3.x")).isFalse();
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
