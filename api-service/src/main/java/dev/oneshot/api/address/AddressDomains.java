package dev.oneshot.api.address;

import jakarta.enterprise.context.ApplicationScoped;

/** Which domain an address is in. */
@ApplicationScoped
public class AddressDomains {

    private final String receiveDomain;
    private final String sendDomain;

    AddressDomains(AddressConfig config) {
        this.receiveDomain = config.receiveDomain();
        this.sendDomain = config.sendDomain();
    }

    /** The full address. */
    public String addressOf(Mode mode, String id) {
        return switch (mode) {
            case RECEIVE -> id + "@" + receiveDomain;
            case SEND -> id + "@" + sendDomain;
        };
    }
}
