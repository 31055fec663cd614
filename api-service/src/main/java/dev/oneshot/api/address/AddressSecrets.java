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

    private final AddressIdCodec ids;
    private final CursorCodec cursors;

    AddressSecrets(AddressConfig config) {
        List<SigningKey> keys =
                ValidSetting.made("oneshot.address.keys", () -> SigningKey.listOfBase64(config.addressKeys()));
        this.ids = new AddressIdCodec(keys, new SecureRandom());
        this.cursors = new CursorCodec(keys);
    }

    @Produces
    AddressIdCodec ids() {
        return ids;
    }

    @Produces
    CursorCodec cursors() {
        return cursors;
    }
}
