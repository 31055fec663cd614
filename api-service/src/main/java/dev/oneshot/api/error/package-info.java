/**
 * Every refusal this service can answer with, its envelope, and the one place where exceptions become answers.
 * Depends on nothing of ours.
 */
@NullMarked
package dev.oneshot.api.error;

import org.jspecify.annotations.NullMarked;
