/** The REST API under load: a small HTTP client, accounts to be, and what the service is compared with. */
@NullMarked
package dev.oneshot.local.bench.api;

import org.jspecify.annotations.NullMarked;
