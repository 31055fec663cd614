/** Lists by keyset: page sizes, and signed cursors bound to their list. */
@NullMarked
package dev.oneshot.api.paging;

import org.jspecify.annotations.NullMarked;
