/** Connections of clients: how many there are, pipelined requests, deadlines, and how they end. */
@NullMarked
package dev.oneshot.api.connection;

import org.jspecify.annotations.NullMarked;
