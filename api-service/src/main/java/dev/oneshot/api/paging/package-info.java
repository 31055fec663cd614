/** Lists by keyset: page sizes, and cursors that are signed and bound to their list. */
@NullMarked
package dev.oneshot.api.paging;

import org.jspecify.annotations.NullMarked;
