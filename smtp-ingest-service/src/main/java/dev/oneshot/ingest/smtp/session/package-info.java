/** The state machine of one connection: the effect of each command in each state, and the transport's next task. */
@NullMarked
package dev.oneshot.ingest.smtp.session;

import org.jspecify.annotations.NullMarked;
