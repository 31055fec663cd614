package dev.oneshot.ingest.recipient;

import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.setting.ValidSetting;
import dev.oneshot.contracts.signing.SigningKey;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;

/** Creates the codec of address ids from the configured keys. */
final class AddressKeys {

    @Produces
    @Singleton
    AddressIdCodec codec(AddressKeyConfig config) {
        return ValidSetting.made(
                "oneshot.address.keys",
                () -> new AddressIdCodec(SigningKey.listOfBase64(config.keys()), new SecureRandom()));
    }
}
