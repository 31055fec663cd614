/**
 * Benchmarks of the packaged services: what is asked for on the command line, load and latencies, and the tables and
 * the JSON file that come out. Each benchmark has a package of its own.
 */
@NullMarked
package dev.oneshot.local.bench;

import org.jspecify.annotations.NullMarked;
