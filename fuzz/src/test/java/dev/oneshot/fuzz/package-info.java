/**
 * Coverage-guided fuzzing of the code that reads untrusted input: the message reader, the SMTP session, and the checks
 * of SPF, DKIM and DMARC. Tests replay the seeds; {@code ./oneshot fuzz} searches for inputs that break a law.
 */
@NullMarked
package dev.oneshot.fuzz;

import org.jspecify.annotations.NullMarked;
