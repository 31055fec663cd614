/** Spring Boot's {@code @ServiceConnection}: the application sends its mail to the container. */
@NullMarked
package dev.oneshot.testcontainers.spring;

import org.jspecify.annotations.NullMarked;
