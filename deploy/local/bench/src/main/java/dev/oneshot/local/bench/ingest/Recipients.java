package dev.oneshot.local.bench.ingest;

import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.signing.SigningKey;
import dev.oneshot.local.bench.Load;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The recipients of a load. */
final class Recipients {

    private static final SizeClass SIZE = SizeClass.ofMessageBytesMax(32 * 1024 * 1024);
    private static final Duration LIFETIME = Duration.ofHours(6);
    private static final int EXPIRIES = 3600;

    private Recipients() {}

    /** Each call gives a valid id that was never created: ingest accepts its mail, the API drops it. */
    static Supplier<String> signed(String addressKey) {
        AddressIdCodec codec = codec(addressKey);
        Instant expiry = Instant.now().plus(LIFETIME);
        AtomicInteger issued = new AtomicInteger();
        // Each id has another expiry: with one expiry, two of many ids would be equal, as only 36 bits are random.
        return () -> mailbox(codec.issue(SIZE, expiry.plusSeconds(issued.incrementAndGet() % EXPIRIES))
                .text());
    }

    /** Ids with a valid signature. */
    static List<String> ids(String addressKey, int count) {
        AddressIdCodec codec = codec(addressKey);
        Instant expiry = Instant.now().plus(LIFETIME);
        return IntStream.range(0, count)
                .mapToObj(_ -> codec.issue(SIZE, expiry).text())
                .toList();
    }

    /** Addresses with a row in the database, in turn. */
    static Supplier<String> created(List<String> ids) {
        return Load.roundRobin(ids.stream().map(Recipients::mailbox).toList());
    }

    private static AddressIdCodec codec(String addressKey) {
        return new AddressIdCodec(SigningKey.listOfBase64(List.of(addressKey)), new SecureRandom());
    }

    private static String mailbox(String id) {
        return id + "@in.oneshot.localhost";
    }
}
