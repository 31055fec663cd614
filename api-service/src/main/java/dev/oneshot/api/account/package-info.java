/** Accounts, their plans, API keys and billing cycles, and who the caller of a request is. */
@NullMarked
package dev.oneshot.api.account;

import org.jspecify.annotations.NullMarked;
