/** The REST API and the operator API, the keeper of accounts and addresses, and the consumer of received mail. */
@NullMarked
package dev.oneshot.api;

import org.jspecify.annotations.NullMarked;
