/** A Model Context Protocol server on standard input and output. Start at {@link dev.oneshot.mcp.OneshotMcp}. */
@NullMarked
package dev.oneshot.mcp;

import org.jspecify.annotations.NullMarked;
