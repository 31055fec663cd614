/** Tests of API keys and of guessing them. */
@NullMarked
package dev.oneshot.api.auth;

import org.jspecify.annotations.NullMarked;
