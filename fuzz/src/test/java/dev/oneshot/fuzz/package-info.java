/**
 * Coverage-guided fuzzing of the code that reads untrusted input: the message reader and the SMTP session. Tests replay the
 * seeds; {@code ./oneshot fuzz} searches for inputs that break a law.
 */
@NullMarked
package dev.oneshot.fuzz;

import org.jspecify.annotations.NullMarked;
