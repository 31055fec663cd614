package dev.oneshot.api.inbox;

import dev.oneshot.api.address.Address;
import dev.oneshot.api.address.EmailSummary;
import dev.oneshot.message.MessageStructure;

/**
 * A mail that can be read, without its octets.
 *
 * @param address that has it
 * @param summary of the mail
 * @param structure where its parts lie in its octets
 */
record StoredMail(Address address, EmailSummary summary, MessageStructure structure) {}
