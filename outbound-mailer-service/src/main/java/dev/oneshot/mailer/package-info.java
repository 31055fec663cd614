/**
 * The outbound-mailer-service: every request to send becomes one mail, is handed to the relay, and ends settled:
 * relayed, refused or given up. A slow relay never stalls the consumer, and nothing is ever forgotten.
 */
@NullMarked
package dev.oneshot.mailer;

import org.jspecify.annotations.NullMarked;
