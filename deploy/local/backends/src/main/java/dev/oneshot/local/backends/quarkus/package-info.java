/** The backends as Quarkus test resources. A test JVM starts each of them once. */
@NullMarked
package dev.oneshot.local.backends.quarkus;

import org.jspecify.annotations.NullMarked;
