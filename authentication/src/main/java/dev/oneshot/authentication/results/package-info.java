/** The Authentication-Results fields that arrive with the own authserv-id, which are forged (RFC 8601). */
@NullMarked
package dev.oneshot.authentication.results;

import org.jspecify.annotations.NullMarked;
