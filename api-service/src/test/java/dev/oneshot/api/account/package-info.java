/** Tests of accounts. */
@NullMarked
package dev.oneshot.api.account;

import org.jspecify.annotations.NullMarked;
