package dev.oneshot.ingest.recipient;

/** Settings for tests, by default of the domains {@code in.example} and {@code out.example}. */
record Domains(String domain, String sendDomain, int closedAddressesMax) implements RecipientConfig {

    static Domains of(String domain) {
        return new Domains(domain, "out.example", 10);
    }

    static Domains remembering(int closedAddressesMax) {
        return new Domains("in.example", "out.example", closedAddressesMax);
    }
}
