/** What an account may create: charges its allocation, then its credits, or rejects with 402. Shows and sells both. */
@NullMarked
package dev.oneshot.api.quota;

import org.jspecify.annotations.NullMarked;
