/** Secrets that sign address ids and API keys, which then verify without a database. */
@NullMarked
package dev.oneshot.contracts.signing;

import org.jspecify.annotations.NullMarked;
