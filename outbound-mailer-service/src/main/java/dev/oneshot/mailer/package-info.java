/** The outbound-mailer-service: sends each due mail to the relay and reports the result. It keeps no state. */
@NullMarked
package dev.oneshot.mailer;

import org.jspecify.annotations.NullMarked;
