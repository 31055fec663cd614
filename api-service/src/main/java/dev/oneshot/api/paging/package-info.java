/** Lists by keyset: their cursors, which nobody can alter or take elsewhere, and their page sizes. */
@NullMarked
package dev.oneshot.api.paging;

import org.jspecify.annotations.NullMarked;
