package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link MailRequested} as encoded: the head in CBOR, then the octets of text, HTML and attachments in this order. */
final class MailRequestedFrame {

    private MailRequestedFrame() {}

    record Head(
            String addressId,
            String from,
            String to,
            String subject,
            @Nullable Integer textBytes,
            @Nullable Integer htmlBytes,
            List<AttachmentHead> attachments,
            Instant requestedAt,
            Instant expiresAt) {
        Head {
            Objects.requireNonNull(addressId, "addressId");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            Objects.requireNonNull(subject, "subject");
            Objects.requireNonNull(attachments, "attachments");
            Objects.requireNonNull(requestedAt, "requestedAt");
            Objects.requireNonNull(expiresAt, "expiresAt");
        }
    }

    record AttachmentHead(String filename, String contentType, int bytes) {
        AttachmentHead {
            Objects.requireNonNull(filename, "filename");
            Objects.requireNonNull(contentType, "contentType");
        }
    }

    static Head head(MailRequested event) {
        return new Head(
                event.addressId(),
                event.from(),
                event.to(),
                event.subject(),
                length(event.textBody()),
                length(event.htmlBody()),
                event.attachments().stream()
                        .map(a -> new AttachmentHead(
                                a.filename(), a.contentType(), a.content().length()))
                        .toList(),
                event.requestedAt(),
                event.expiresAt());
    }

    static List<Octets> octets(MailRequested event) {
        List<Octets> octets = new ArrayList<>(event.attachments().size() + 2);
        if (event.textBody() != null) {
            octets.add(event.textBody());
        }
        if (event.htmlBody() != null) {
            octets.add(event.htmlBody());
        }
        event.attachments().forEach(attachment -> octets.add(attachment.content()));
        return octets;
    }

    /** Joins head and octets; the octets of the result are slices of {@code octets}. */
    static MailRequested join(Head head, Octets octets) throws EventFormatException {
        Slicer slicer = new Slicer(octets);
        @Nullable Octets text = slicer.nextOrNull(head.textBytes());
        @Nullable Octets html = slicer.nextOrNull(head.htmlBytes());
        List<MailRequested.Attachment> attachments = new ArrayList<>();
        try {
            for (AttachmentHead attachment : head.attachments()) {
                attachments.add(new MailRequested.Attachment(
                        attachment.filename(), attachment.contentType(), slicer.next(attachment.bytes())));
            }
            slicer.requireEnd();
            return new MailRequested(
                    head.addressId(),
                    head.from(),
                    head.to(),
                    head.subject(),
                    text,
                    html,
                    attachments,
                    head.requestedAt(),
                    head.expiresAt());
        } catch (IllegalArgumentException e) {
            throw new EventFormatException(String.valueOf(e.getMessage()), e);
        }
    }

    private static @Nullable Integer length(@Nullable Octets octets) {
        return octets == null ? null : octets.length();
    }

    private static final class Slicer {

        private final Octets octets;
        private int taken;

        Slicer(Octets octets) {
            this.octets = octets;
        }

        @Nullable
        Octets nextOrNull(@Nullable Integer length) throws EventFormatException {
            return length == null ? null : next(length);
        }

        Octets next(int length) throws EventFormatException {
            if (length < 0 || length > octets.length() - taken) {
                throw new EventFormatException("impossible length of a part: " + length);
            }
            Octets slice = Octets.of(octets.array(), octets.offset() + taken, length);
            taken += length;
            return slice;
        }

        void requireEnd() throws EventFormatException {
            if (taken != octets.length()) {
                throw new EventFormatException((octets.length() - taken) + " octets after the last part");
            }
        }
    }
}
