/** Shared by tests of several modules: an SMTP client, a relay that follows a script, and log lines. */
@NullMarked
package dev.oneshot.testing;

import org.jspecify.annotations.NullMarked;
