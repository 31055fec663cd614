package dev.oneshot.api.inbox;

import dev.oneshot.contracts.content.MailContent;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceContext;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A mail of the topic, checked for the properties that the database and readers need.
 *
 * @param origin the record that it came in
 * @param sizeBytes of the message
 */
record ReceivedMail(ConsumerRecord<String, byte[]> origin, MailInbound event, int sizeBytes) {

    /**
     * Checks an event.
     *
     * @throws EventFormatException if its content is not complete
     */
    static ReceivedMail checked(ConsumerRecord<String, byte[]> origin, MailInbound event) throws EventFormatException {
        MailContent content = MailContent.read(event.content());
        if (content.contentBytes() != event.content().length()) {
            throw new EventFormatException("content of another length than its index says");
        }
        return new ReceivedMail(origin, event, content.messageBytes());
    }

    TraceContext trace() {
        return RecordTrace.continued(origin.headers());
    }

    String addressId() {
        return event.addressId();
    }

    /** The author, storable as PostgreSQL text. */
    String from() {
        return StorableText.of(event.from());
    }

    /** The subject, storable as PostgreSQL text. */
    String subject() {
        return StorableText.of(event.subject());
    }
}
