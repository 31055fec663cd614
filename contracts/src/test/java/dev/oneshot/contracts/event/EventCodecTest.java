package dev.oneshot.contracts.event;

import static dev.oneshot.contracts.event.SendEventsTest.DEFERRED;
import static dev.oneshot.contracts.event.SendEventsTest.LETTER;
import static dev.oneshot.contracts.event.SendEventsTest.REQUESTED;
import static dev.oneshot.contracts.event.SendEventsTest.SETTLED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.oneshot.message.Attachment;
import dev.oneshot.message.HeaderField;
import dev.oneshot.message.Leaf;
import dev.oneshot.message.MessageStructure;
import dev.oneshot.message.TransferEncoding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventCodecTest {

    private static final Instant RECEIVED_AT = Instant.parse("2026-11-20T12:00:00.123456Z");
    private static final String ADDRESS_ID = "cejqwzabcdefghijklmnopqr";
    private static final byte[] RAW = "Subject: Grüße\r\n\r\nHallo\r\n".getBytes(StandardCharsets.UTF_8);

    private static final MessageStructure STRUCTURE = new MessageStructure(
            List.of(new HeaderField("Subject", "Grüße"), new HeaderField("X-Empty", "")),
            "ada@example.org",
            "Grüße",
            List.of(new Leaf(20, 7, TransferEncoding.IDENTITY, "utf-8")),
            List.of(new Leaf(0, 0, TransferEncoding.QUOTED_PRINTABLE, "")),
            List.of(new Attachment(
                    "日本.pdf", "application/pdf", new Leaf(3, 4, TransferEncoding.BASE64, ""), 3, null, null)),
            true);

    private static final MailInbound MAIL_INBOUND =
            new MailInbound(ADDRESS_ID, RECEIVED_AT, "bounce@example.org", "Grüße", 1, Octets.of(RAW));
    private static final AddressClosed ADDRESS_CLOSED =
            new AddressClosed(ADDRESS_ID, AddressClosed.Reason.DELETED, RECEIVED_AT);
    private static final PostmasterMail POSTMASTER_MAIL = new PostmasterMail(
            "postmaster-1", "ops@example.org", RECEIVED_AT, RECEIVED_AT.plusSeconds(1), Octets.of(RAW));
    private static final SendBounced SEND_BOUNCED =
            new SendBounced(ADDRESS_ID, Map.of("ada@example.org", "5.1.1"), RECEIVED_AT);

    private static final LeaseExtended LEASE_EXTENDED =
            new LeaseExtended(ADDRESS_ID, RECEIVED_AT, RECEIVED_AT.plusSeconds(60));

    interface Decoder {
        Object decode(byte[] value) throws EventFormatException;
    }

    private static Arguments row(byte[] value, Decoder decoder, Object decoded) {
        return arguments(value, decoder, decoded);
    }

    /** Version 1.0.0 wrote the golden files. New code may write other bytes, but must read these. */
    static Stream<Arguments> events() throws IOException {
        Stream<Arguments> written = Stream.of(
                row(EventCodec.encode(MAIL_INBOUND), EventCodec::decodeInbound, MAIL_INBOUND),
                row(EventCodec.encode(POSTMASTER_MAIL), EventCodec::decodeInbound, POSTMASTER_MAIL),
                row(EventCodec.encode(POSTMASTER_MAIL), EventCodec::decodeDueMail, POSTMASTER_MAIL),
                row(EventCodec.encode(SEND_BOUNCED), EventCodec::decodeInbound, SEND_BOUNCED),
                row(EventCodec.encode(ADDRESS_CLOSED), EventCodec::decodeAddressClosed, ADDRESS_CLOSED),
                row(EventCodec.encode(STRUCTURE), EventCodec::decodeStructure, STRUCTURE),
                row(EventCodec.encode(REQUESTED), EventCodec::decodeDueMail, REQUESTED),
                row(EventCodec.encode(LETTER), EventCodec::decodeDueMail, LETTER),
                row(golden("mail-inbound-1.golden"), EventCodec::decodeInbound, MAIL_INBOUND),
                row(golden("address-closed-1.golden"), EventCodec::decodeAddressClosed, ADDRESS_CLOSED),
                row(golden("structure-1.golden"), EventCodec::decodeStructure, STRUCTURE),
                row(golden("postmaster-mail-3.golden"), EventCodec::decodeInbound, POSTMASTER_MAIL),
                row(golden("postmaster-mail-3.golden"), EventCodec::decodeDueMail, POSTMASTER_MAIL),
                row(golden("send-bounced-2.golden"), EventCodec::decodeInbound, SEND_BOUNCED),
                row(golden("mail-requested-1.golden"), EventCodec::decodeDueMail, REQUESTED),
                row(golden("letter-2.golden"), EventCodec::decodeDueMail, LETTER),
                row(golden("mail-settled-1.golden"), EventCodec::decodeSendResult, SETTLED),
                row(golden("mail-deferred-2.golden"), EventCodec::decodeSendResult, DEFERRED),
                row(golden("lease-extended-3.golden"), EventCodec::decodeSendResult, LEASE_EXTENDED));
        Stream<SendResult> results = Stream.of(
                SETTLED,
                new MailSettled(ADDRESS_ID, MailSettled.Outcome.UNDELIVERABLE, null, null, 0, null, RECEIVED_AT),
                DEFERRED,
                new MailDeferred(ADDRESS_ID, RECEIVED_AT, null, null, 0, RECEIVED_AT),
                LEASE_EXTENDED);
        return Stream.concat(
                written, results.map(result -> row(EventCodec.encode(result), EventCodec::decodeSendResult, result)));
    }

    @ParameterizedTest
    @MethodSource("events")
    void anEventComesBackAsItWas(byte[] value, Decoder decoder, Object decoded) throws EventFormatException {
        assertThat(decoder.decode(value)).isEqualTo(decoded);
    }

    @Test
    void aMailOfASliceCarriesJustTheSlice() throws EventFormatException {
        MailInbound sliced = new MailInbound(ADDRESS_ID, RECEIVED_AT, "", "", 0, Octets.of(RAW, 3, 5));

        MailInbound decoded = (MailInbound) EventCodec.decodeInbound(EventCodec.encode(sliced));

        assertThat(decoded.content().toByteArray()).isEqualTo(Arrays.copyOfRange(RAW, 3, 8));
        assertThat(decoded.content()).isEqualTo(sliced.content()).hasSameHashCodeAs(sliced.content());
    }

    @Test
    void aMailCarriesTheBeginningOfItsSubject() {
        String face = "\uD83D\uDE00";

        assertThat(MailInbound.shortened(face.repeat(1_000))).isEqualTo(face.repeat(1_000));
        assertThat(MailInbound.shortened(face.repeat(1_001))).isEqualTo(face.repeat(1_000));
    }

    @Test
    void aMailForThePostmasterWithTheIdOfAnAddressIsRefused() {
        byte[] value = EventCodec.encode(POSTMASTER_MAIL);
        byte[] other = new String(value, StandardCharsets.ISO_8859_1)
                .replace("postmaster-1", "postmistress")
                .getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> EventCodec.decodeInbound(other)).isInstanceOf(EventFormatException.class);
        assertThatThrownBy(() -> EventCodec.decodeInbound(new byte[0])).isInstanceOf(EventFormatException.class);
        assertThatThrownBy(() -> EventCodec.decodeInbound(null)).isInstanceOf(EventFormatException.class);
    }

    @Test
    void everyCutOffMailIsRefusedOrShorter() {
        byte[] whole = EventCodec.encode(MAIL_INBOUND);

        for (int length = 0; length < whole.length - RAW.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> EventCodec.decodeInbound(cut))
                    .as("cut at %d", length)
                    .isInstanceOf(EventFormatException.class);
        }
    }

    @Property(tries = 1000)
    void anythingElseIsAFormatError(@ForAll byte[] value) {
        assertThatThrownBy(() -> EventCodec.decodeInbound(value)).isInstanceOf(EventFormatException.class);
        assertThatThrownBy(() -> EventCodec.decodeAddressClosed(value)).isInstanceOf(EventFormatException.class);
        assertThatThrownBy(() -> EventCodec.decodeDueMail(value)).isInstanceOf(EventFormatException.class);
        assertThatThrownBy(() -> EventCodec.decodeSendResult(value)).isInstanceOf(EventFormatException.class);
    }

    private static byte[] golden(String name) throws IOException {
        return Files.readAllBytes(Path.of("src/test/resources/golden", name));
    }
}
