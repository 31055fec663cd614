/** Authentication: which account a request belongs to. Rejects with 401. */
@NullMarked
package dev.oneshot.api.auth;

import org.jspecify.annotations.NullMarked;
