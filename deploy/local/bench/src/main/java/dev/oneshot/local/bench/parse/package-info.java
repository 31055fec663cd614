/** Reading the structure of messages, compared with mime4j. */
@NullMarked
package dev.oneshot.local.bench.parse;

import org.jspecify.annotations.NullMarked;
