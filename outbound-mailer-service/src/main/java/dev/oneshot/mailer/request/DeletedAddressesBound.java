package dev.oneshot.mailer.request;

import dev.oneshot.mailer.closed.DeletedAddresses;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Makes the set of deleted addresses as large as it is configured. */
final class DeletedAddressesBound {

    @Produces
    @Singleton
    DeletedAddresses deletedAddresses(MailerConfig config) {
        if (config.deletedAddressesMax() < 1) {
            throw new IllegalArgumentException("oneshot.mailer.deleted-addresses-max must be at least 1");
        }
        return new DeletedAddresses(config.deletedAddressesMax());
    }
}
