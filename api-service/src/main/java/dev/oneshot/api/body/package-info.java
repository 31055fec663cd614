/** Request bodies: their bounds, the memory that they take, their digest, and strict JSON. */
@NullMarked
package dev.oneshot.api.body;

import org.jspecify.annotations.NullMarked;
