/** Accounts, their plans and billing cycles, and the hashes of their keys. */
@NullMarked
package dev.oneshot.api.account;

import org.jspecify.annotations.NullMarked;
