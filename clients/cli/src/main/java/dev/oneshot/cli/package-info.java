/** The command line: {@code oneshot-cli address create}. Its exit codes are in {@link dev.oneshot.cli.OneshotCli}. */
@NullMarked
package dev.oneshot.cli;

import org.jspecify.annotations.NullMarked;
