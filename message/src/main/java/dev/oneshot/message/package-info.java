/**
 * What an e-mail is made of (RFC 5322, RFC 2045 to 2047, 2183, 2231, 6532), read from its octets and given as offsets
 * into them: nothing is copied, and bodies and attachments are decoded only when someone reads them. JDK only.
 */
@NullMarked
package dev.oneshot.message;

import org.jspecify.annotations.NullMarked;
