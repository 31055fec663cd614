/** Several packaged services on one database: what must hold over all of them. */
@NullMarked
package dev.oneshot.api.replicas;

import org.jspecify.annotations.NullMarked;
