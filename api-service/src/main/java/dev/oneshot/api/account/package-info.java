/** Accounts, their plans, billing cycles and keys: GET /account, and which account makes a request. */
@NullMarked
package dev.oneshot.api.account;

import org.jspecify.annotations.NullMarked;
