/** Tests of several packaged services on one database. */
@NullMarked
package dev.oneshot.api.replicas;

import org.jspecify.annotations.NullMarked;
