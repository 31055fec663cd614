/** The command that checks the DNS records of a mail domain. */
@NullMarked
package dev.oneshot.authentication.check;

import org.jspecify.annotations.NullMarked;
