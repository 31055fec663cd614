package dev.oneshot.api.inbox;

import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.message.Attachment;
import dev.oneshot.message.Leaf;
import dev.oneshot.message.MessageStructure;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A mail of the topic, checked for the properties that the database and readers need.
 *
 * @param origin the record that it came in
 */
record ReceivedMail(ConsumerRecord<String, byte[]> origin, MailInbound event) {

    /** Lists show a hundred subjects at once, and a subject may be as long as a whole header. */
    private static final int SUMMARY_CHARACTERS_MAX = 1_000;

    /**
     * Checks an event.
     *
     * @throws EventFormatException if its structure lies outside of its message
     */
    static ReceivedMail checked(ConsumerRecord<String, byte[]> origin, MailInbound event) throws EventFormatException {
        MessageStructure structure = event.structure();
        int length = event.raw().length();
        Stream<Leaf> bodies = Stream.concat(structure.text().stream(), structure.html().stream());
        Stream<Leaf> attachments = structure.attachments().stream().map(Attachment::content);
        if (Stream.concat(bodies, attachments)
                .anyMatch(part -> part.offset() > length || part.length() > length - part.offset())) {
            throw new EventFormatException("a part lies outside of the message");
        }
        return new ReceivedMail(origin, event);
    }

    TraceContext trace() {
        return RecordTrace.continued(origin.headers());
    }

    String addressId() {
        return event.addressId();
    }

    /** The author, or the reverse-path when the mail names none; storable as PostgreSQL text. */
    String from() {
        String from = event.structure().from();
        return StorableText.of(from.isEmpty() ? event.reversePath() : from);
    }

    /** As much of the subject as a summary shows, storable as PostgreSQL text. */
    String subject() {
        String subject = event.structure().subject();
        boolean isLong = subject.codePointCount(0, subject.length()) > SUMMARY_CHARACTERS_MAX;
        return StorableText.of(
                isLong ? subject.substring(0, subject.offsetByCodePoints(0, SUMMARY_CHARACTERS_MAX)) : subject);
    }
}
