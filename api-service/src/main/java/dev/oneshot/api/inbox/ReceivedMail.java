package dev.oneshot.api.inbox;

import dev.oneshot.contracts.content.MailContent;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailInbound;
import io.opentelemetry.context.Context;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A mail of the topic, checked for the properties that the database and readers need.
 *
 * @param origin the record that it came in
 * @param sizeBytes of the message
 * @param trace has the span of the work on it
 */
record ReceivedMail(ConsumerRecord<String, byte[]> origin, MailInbound event, int sizeBytes, Context trace) {

    /**
     * Checks an event.
     *
     * @throws EventFormatException if its content is not complete
     */
    static ReceivedMail checked(ConsumerRecord<String, byte[]> origin, MailInbound event, Context trace)
            throws EventFormatException {
        MailContent content = MailContent.read(event.content());
        if (content.contentBytes() != event.content().length()) {
            throw new EventFormatException("content of another length than its index says");
        }
        return new ReceivedMail(origin, event, content.messageBytes(), trace);
    }

    String addressId() {
        return event.addressId();
    }
}
