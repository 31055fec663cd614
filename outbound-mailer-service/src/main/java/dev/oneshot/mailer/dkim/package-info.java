/** Signs messages for the sending domain if it has a key (DKIM, RFC 6376): rsa-sha256, relaxed/simple. */
@NullMarked
package dev.oneshot.mailer.dkim;

import org.jspecify.annotations.NullMarked;
