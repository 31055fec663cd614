/**
 * The outbound-mailer-service: hands each due mail to the relay and reports the result, also where nothing was sent. It keeps no state.
 */
@NullMarked
package dev.oneshot.mailer;

import org.jspecify.annotations.NullMarked;
