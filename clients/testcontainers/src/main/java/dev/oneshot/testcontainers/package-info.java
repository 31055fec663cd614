/** The whole of oneshot in a container, for tests of an application that sends mail. */
@NullMarked
package dev.oneshot.testcontainers;

import org.jspecify.annotations.NullMarked;
