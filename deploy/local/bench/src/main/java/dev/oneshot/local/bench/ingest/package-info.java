/** Receiving mail under load, with the SMTP client that loads it and the ceilings it is compared with. */
@NullMarked
package dev.oneshot.local.bench.ingest;

import org.jspecify.annotations.NullMarked;
