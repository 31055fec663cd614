package dev.oneshot.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A one-shot address: {@code signUpForm.fill(address.address())}.
 *
 * @param id the local part of the address, which every method of {@link OneshotClient} takes
 * @param address the full e-mail address
 * @param mode whether it receives or sends
 * @param status its state when the service responded
 * @param expiresAt when the service deletes it and its e-mail
 * @param label null if it has none
 * @param sendTo the recipient; only in the response to the creation of an address that sends
 * @param email a summary of its e-mail; null until one is received, and in the response to its creation
 */
public record Address(
        String id,
        String address,
        Mode mode,
        Status status,
        Instant expiresAt,
        @Nullable String label,
        @Nullable String sendTo,
        @Nullable EmailSummary email) {}
