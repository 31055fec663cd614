/** Tests of sending. */
@NullMarked
package dev.oneshot.api.sending;

import org.jspecify.annotations.NullMarked;
