/** Shared by tests of several modules: clients, a relay, a name server, SQL, settings, metrics, logs and records. */
@NullMarked
package dev.oneshot.testing;

import org.jspecify.annotations.NullMarked;
