/**
 * The outbound-mailer-service: hands each request to send to the relay as one mail, and tells how it ended, also where
 * nothing was sent. A slow relay never stalls the consumer, and nothing is ever forgotten.
 */
@NullMarked
package dev.oneshot.mailer;

import org.jspecify.annotations.NullMarked;
