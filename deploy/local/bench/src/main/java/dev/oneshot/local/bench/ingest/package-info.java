/** Receiving mail: a load client for SMTP, and what the service is compared with. */
@NullMarked
package dev.oneshot.local.bench.ingest;

import org.jspecify.annotations.NullMarked;
