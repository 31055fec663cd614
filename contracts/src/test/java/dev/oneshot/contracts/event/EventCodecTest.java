package dev.oneshot.contracts.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.message.Attachment;
import dev.oneshot.message.HeaderField;
import dev.oneshot.message.Leaf;
import dev.oneshot.message.MessageStructure;
import dev.oneshot.message.TransferEncoding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

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
            List.of(new Attachment("日本.pdf", "application/pdf", new Leaf(3, 4, TransferEncoding.BASE64, ""), 3)),
            true);

    private static final MailInbound MAIL_INBOUND =
            new MailInbound(ADDRESS_ID, "bounce@example.org", RECEIVED_AT, STRUCTURE, Octets.of(RAW));
    private static final AddressClosed ADDRESS_CLOSED =
            new AddressClosed(ADDRESS_ID, AddressClosed.Reason.DELETED, RECEIVED_AT);
    private static final PostmasterMail POSTMASTER_MAIL = new PostmasterMail(
            "postmaster-1", "ops@example.org", RECEIVED_AT, RECEIVED_AT.plusSeconds(1), Octets.of(RAW));
    private static final SendBounced SEND_BOUNCED = new SendBounced(ADDRESS_ID, "5.1.1", RECEIVED_AT);

    @Test
    void aMailComesBackAsItWas() throws EventFormatException {
        assertThat(EventCodec.decodeMailInbound(EventCodec.encode(MAIL_INBOUND)))
                .isEqualTo(MAIL_INBOUND);
    }

    @Test
    void aMailOfASliceCarriesJustTheSlice() throws EventFormatException {
        MailInbound sliced = new MailInbound(ADDRESS_ID, "", RECEIVED_AT, STRUCTURE, Octets.of(RAW, 3, 5));

        MailInbound decoded = EventCodec.decodeMailInbound(EventCodec.encode(sliced));

        assertThat(decoded.raw().toByteArray()).isEqualTo(Arrays.copyOfRange(RAW, 3, 8));
        assertThat(decoded.raw()).isEqualTo(sliced.raw()).hasSameHashCodeAs(sliced.raw());
    }

    @Test
    void aMailInItsPlaceIsNotCopiedAndComesBackAsItWas() throws EventFormatException {
        Octets place = EventCodec.roomForMail(RAW.length);
        System.arraycopy(RAW, 0, place.array(), place.offset(), RAW.length);

        byte[] first = EventCodec.encodeInPlace(
                new MailInbound(ADDRESS_ID, "a-rather-long-one@example.org", RECEIVED_AT, STRUCTURE, place));
        byte[] second = EventCodec.encodeInPlace(
                new MailInbound(ADDRESS_ID, "bounce@example.org", RECEIVED_AT, STRUCTURE, place));

        assertThat(first).isSameAs(place.array()).isSameAs(second);
        assertThat(EventCodec.decodeMailInbound(second)).isEqualTo(MAIL_INBOUND);
    }

    @Test
    void aMailWhoseHeadHasNoRoomInFrontIsCopied() throws EventFormatException {
        String path = "x".repeat(20_000);
        Octets place = EventCodec.roomForMail(RAW.length);
        System.arraycopy(RAW, 0, place.array(), place.offset(), RAW.length);
        MailInbound mail = new MailInbound(ADDRESS_ID, path, RECEIVED_AT, STRUCTURE, place);

        byte[] value = EventCodec.encodeInPlace(mail);

        assertThat(value).isNotSameAs(place.array());
        assertThat(EventCodec.decodeMailInbound(value)).isEqualTo(mail);
    }

    @Test
    void aMailThatIsNotAtTheEndOfItsArrayIsCopied() throws EventFormatException {
        MailInbound sliced =
                new MailInbound(ADDRESS_ID, "", RECEIVED_AT, STRUCTURE, Octets.of(new byte[9_000], 8_000, 5));

        assertThat(EventCodec.decodeMailInbound(EventCodec.encodeInPlace(sliced)))
                .isEqualTo(sliced);
    }

    @Test
    void aMailForThePostmasterIsTheSameOnBothTopics() throws EventFormatException {
        Octets place = EventCodec.roomForMail(RAW.length);
        System.arraycopy(RAW, 0, place.array(), place.offset(), RAW.length);
        PostmasterMail inPlace = new PostmasterMail(
                POSTMASTER_MAIL.mailId(),
                POSTMASTER_MAIL.to(),
                POSTMASTER_MAIL.requestedAt(),
                POSTMASTER_MAIL.expiresAt(),
                place);

        for (byte[] value : List.of(EventCodec.encode(POSTMASTER_MAIL), EventCodec.encodeInPlace(inPlace))) {
            assertThat(EventCodec.decodeInbound(value)).isEqualTo(POSTMASTER_MAIL);
            assertThat(EventCodec.decodeDueMail(value)).isEqualTo(POSTMASTER_MAIL);
            assertThatThrownBy(() -> EventCodec.decodeMailInbound(value))
                    .as("the version before sets it aside")
                    .isInstanceOf(EventFormatException.class)
                    .hasMessageContaining("unknown format version 3");
        }
    }

    @Test
    void aMailForThePostmasterWithTheIdOfAnAddressIsRefused() {
        byte[] value = EventCodec.encode(POSTMASTER_MAIL);
        byte[] other = new String(value, StandardCharsets.ISO_8859_1)
                .replace("postmaster-1", "postmistress")
                .getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> EventCodec.decodeInbound(other)).isInstanceOf(EventFormatException.class);
        assertThatThrownBy(() -> EventCodec.decodeInbound(new byte[0])).isInstanceOf(EventFormatException.class);
    }

    @Test
    void aBounceComesBackAsItWas() throws EventFormatException {
        assertThat(EventCodec.decodeInbound(EventCodec.encode(SEND_BOUNCED))).isEqualTo(SEND_BOUNCED);
        assertThat(EventCodec.decodeInbound(EventCodec.encodeInPlace(SEND_BOUNCED)))
                .isEqualTo(SEND_BOUNCED);
        assertThat(EventCodec.decodeInbound(EventCodec.encode(MAIL_INBOUND))).isEqualTo(MAIL_INBOUND);
    }

    @Test
    void aClosedAddressComesBackAsItWas() throws EventFormatException {
        assertThat(EventCodec.decodeAddressClosed(EventCodec.encode(ADDRESS_CLOSED)))
                .isEqualTo(ADDRESS_CLOSED);
    }

    @Test
    void aStructureComesBackAsItWas() throws EventFormatException {
        assertThat(EventCodec.decodeStructure(EventCodec.encode(STRUCTURE))).isEqualTo(STRUCTURE);
    }

    /** The version that introduced an event wrote its golden file. New code may write other octets, but must read these. */
    @Test
    void goldenEventsStayReadable() throws EventFormatException {
        assertThat(EventCodec.decodeMailInbound(golden("mail-inbound-1.golden")))
                .isEqualTo(MAIL_INBOUND);
        assertThat(EventCodec.decodeAddressClosed(golden("address-closed-1.golden")))
                .isEqualTo(ADDRESS_CLOSED);
        assertThat(EventCodec.decodeStructure(golden("structure-1.golden"))).isEqualTo(STRUCTURE);
        byte[] postmasterMail = golden("postmaster-mail-3.golden");
        assertThat(EventCodec.decodeInbound(postmasterMail)).isEqualTo(POSTMASTER_MAIL);
        assertThat(EventCodec.decodeDueMail(postmasterMail)).isEqualTo(POSTMASTER_MAIL);
        assertThat(EventCodec.decodeInbound(golden("send-bounced-4.golden"))).isEqualTo(SEND_BOUNCED);
    }

    @Test
    void everyCutOffMailIsRefusedOrShorter() {
        byte[] whole = EventCodec.encode(MAIL_INBOUND);

        for (int length = 0; length < whole.length - RAW.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> EventCodec.decodeMailInbound(cut))
                    .as("cut at %d", length)
                    .isInstanceOf(EventFormatException.class);
        }
    }

    @Property(tries = 1000)
    void anythingElseIsAFormatError(@ForAll byte[] value) {
        assertThatThrownBy(() -> EventCodec.decodeMailInbound(value)).isInstanceOf(EventFormatException.class);
        assertThatThrownBy(() -> EventCodec.decodeAddressClosed(value)).isInstanceOf(EventFormatException.class);
    }

    @Test
    void anUnknownVersionIsRefusedByName() {
        byte[] later = EventCodec.encode(ADDRESS_CLOSED);
        later[0] = 9;

        assertThatThrownBy(() -> EventCodec.decodeAddressClosed(later))
                .isInstanceOf(EventFormatException.class)
                .hasMessageContaining("version 9");
    }

    static byte[] golden(String name) {
        try (InputStream file = EventCodecTest.class.getResourceAsStream("/golden/" + name)) {
            if (file == null) {
                throw new IllegalStateException("no golden file " + name);
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
