/** Verifies the signatures of a message: DKIM (RFC 6376, RFC 8301, RFC 8463). */
@NullMarked
package dev.oneshot.authentication.dkim;

import org.jspecify.annotations.NullMarked;
