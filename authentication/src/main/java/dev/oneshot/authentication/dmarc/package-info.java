/** Evaluates a message against the policy of the domain in its From field: DMARC (RFC 9989). */
@NullMarked
package dev.oneshot.authentication.dmarc;

import org.jspecify.annotations.NullMarked;
