/** Tests of letters to accounts. */
@NullMarked
package dev.oneshot.api.letter;

import org.jspecify.annotations.NullMarked;
