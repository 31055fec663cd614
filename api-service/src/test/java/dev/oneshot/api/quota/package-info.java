/** Tests of quota and credits. */
@NullMarked
package dev.oneshot.api.quota;

import org.jspecify.annotations.NullMarked;
