package dev.oneshot.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request for an address: {@code CreateAddress.receive().withLabel("sign-up").withTtl(Duration.ofMinutes(10))}. The service
 * checks the bounds, as they depend on the plan.
 *
 * @param ttlSeconds the lifetime, 60 to 86,400 seconds and at most the plan's maximum; null for an hour
 * @param label 1 to 255 characters without control characters; null for none
 * @param send the e-mail to send; null to receive one
 */
public record CreateAddress(
        @Nullable Long ttlSeconds,
        @Nullable String label,
        @Nullable Send send) {

    /** An address that receives one e-mail. */
    public static CreateAddress receive() {
        return new CreateAddress(null, null, null);
    }

    /** An address that sends this e-mail at once. */
    public static CreateAddress send(Send send) {
        return new CreateAddress(null, null, send);
    }

    /** The same with this lifetime, of which whole seconds count. */
    public CreateAddress withTtl(Duration ttl) {
        return new CreateAddress(ttl.toSeconds(), label, send);
    }

    /** The same with this label. */
    public CreateAddress withLabel(String newLabel) {
        return new CreateAddress(ttlSeconds, newLabel, send);
    }
}
