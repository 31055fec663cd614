/**
 * Coverage-guided fuzzing of what takes octets from strangers: the reader of messages and the SMTP session. Each target
 * states laws that hold for any input; a fuzzer looks for an input that breaks one.
 */
@NullMarked
package dev.oneshot.fuzz;

import org.jspecify.annotations.NullMarked;
