package dev.oneshot.ingest.smtp;

/** The argument of MAIL: where failure notices go (RFC 5321 §3.3). */
public sealed interface ReversePath {

    /** The null reverse-path {@code <>} of notifications (RFC 5321 §4.5.5). */
    record Null() implements ReversePath {}

    /** A mailbox, without a source route (RFC 5321 §4.1.1.3). */
    record Sender(Mailbox mailbox) implements ReversePath {}

    /** A local part alone, such as {@code root}, from programs that do not know their domain. RFC 5321 does not allow it. */
    record Local(String localPart) implements ReversePath {}

    /** The path without brackets; empty for the null reverse-path. */
    default String text() {
        return switch (this) {
            case Null _ -> "";
            case Local local -> Mailbox.written(local.localPart());
            case Sender sender -> sender.mailbox().toString();
        };
    }

    /** Whether it needs SMTPUTF8. */
    default boolean isInternational() {
        return Mailbox.isInternational(text());
    }
}
