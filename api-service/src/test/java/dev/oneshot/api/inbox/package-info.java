/** Tests of mail. */
@NullMarked
package dev.oneshot.api.inbox;

import org.jspecify.annotations.NullMarked;
