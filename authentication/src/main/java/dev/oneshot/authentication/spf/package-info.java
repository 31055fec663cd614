/** Checks which hosts may use a domain in HELO and MAIL: SPF (RFC 7208). */
@NullMarked
package dev.oneshot.authentication.spf;

import org.jspecify.annotations.NullMarked;
