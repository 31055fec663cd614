/** Authentication: which account a request belongs to. Rejects with 401, and guesses of unsigned keys with 429. */
@NullMarked
package dev.oneshot.api.auth;

import org.jspecify.annotations.NullMarked;
