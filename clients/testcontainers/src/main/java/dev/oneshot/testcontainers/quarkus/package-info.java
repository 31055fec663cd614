/** A test resource of Quarkus: the application sends its mail to the container. */
@NullMarked
package dev.oneshot.testcontainers.quarkus;

import org.jspecify.annotations.NullMarked;
