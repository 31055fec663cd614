package dev.oneshot.local.bench.ingest;

import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.signing.SigningKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Addresses to send to, taken round and round. */
final class Recipients implements Supplier<String> {

    private static final String DOMAIN = "@in.oneshot.localhost";
    private static final int SIGNED = 20_000;
    private static final int LARGEST = 32 * 1024 * 1024;
    private static final Duration LIFETIME = Duration.ofHours(6);

    private final List<String> addresses;
    private final AtomicInteger next = new AtomicInteger();

    private Recipients(List<String> addresses) {
        this.addresses = addresses;
    }

    /** Ids with a good signature that nobody created: an ingest node takes their mail, the API drops it. */
    static Recipients signed(String addressKey) {
        AddressIdCodec codec = new AddressIdCodec(SigningKey.listOfBase64(List.of(addressKey)), new SecureRandom());
        SizeClass size = SizeClass.ofMessageBytesMax(LARGEST);
        Instant expiry = Instant.now().plus(LIFETIME);
        return new Recipients(IntStream.range(0, SIGNED)
                .mapToObj(_ -> codec.issue(size, expiry).text() + DOMAIN)
                .toList());
    }

    /** Addresses as the API handed them out. */
    static Recipients created(List<String> ids) {
        return new Recipients(ids.stream().map(id -> id + DOMAIN).toList());
    }

    @Override
    public String get() {
        return addresses.get(Math.floorMod(next.getAndIncrement(), addresses.size()));
    }
}
