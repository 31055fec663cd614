package dev.oneshot.api.address;

import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.setting.ValidSetting;
import dev.oneshot.contracts.signing.SigningKey;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.List;

/** Creates the beans that use {@code oneshot.address.keys}. */
@Startup
@Singleton
class AddressSecrets {

    private final List<SigningKey> keys;

    AddressSecrets(AddressConfig config) {
        this.keys = ValidSetting.made("oneshot.address.keys", () -> SigningKey.listOfBase64(config.addressKeys()));
    }

    @Produces
    @Singleton
    AddressIdCodec ids() {
        return new AddressIdCodec(keys, new SecureRandom());
    }

    @Produces
    @Singleton
    CursorCodec cursors() {
        return new CursorCodec(keys);
    }
}
