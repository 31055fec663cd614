package dev.oneshot.ingest.recipient;

import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.signing.SigningKey;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;

/** Creates the codec of address ids from the configured keys. */
final class AddressKeys {

    @Produces
    @Singleton
    AddressIdCodec codec(AddressKeyConfig config) {
        try {
            return new AddressIdCodec(SigningKey.listOfBase64(config.keys()), new SecureRandom());
        } catch (IllegalArgumentException e) {
            // Without the cause, so that the start ends with this one line.
            throw new ConfigurationException("oneshot.address.keys: " + e.getMessage());
        }
    }
}
