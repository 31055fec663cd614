package dev.oneshot.local.bench.ingest;

import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.signing.SigningKey;
import dev.oneshot.local.bench.Load;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Addresses that receive in turn, again and again. */
final class Recipients {

    private static final int SIGNED = 20_000;
    private static final int LARGEST = 32 * 1024 * 1024;
    private static final Duration LIFETIME = Duration.ofHours(6);

    private Recipients() {}

    /** Ids with a valid signature that were never created: ingest accepts their mail, the API drops it. */
    static Supplier<String> signed(String addressKey) {
        return created(ids(addressKey, SIGNED));
    }

    /** Ids with a valid signature. */
    static List<String> ids(String addressKey, int count) {
        AddressIdCodec codec = new AddressIdCodec(SigningKey.listOfBase64(List.of(addressKey)), new SecureRandom());
        SizeClass size = SizeClass.ofMessageBytesMax(LARGEST);
        Instant expiry = Instant.now().plus(LIFETIME);
        return IntStream.range(0, count)
                .mapToObj(_ -> codec.issue(size, expiry).text())
                .toList();
    }

    /** Addresses with a row in the database. */
    static Supplier<String> created(List<String> ids) {
        return Load.roundRobin(
                ids.stream().map(id -> id + "@in.oneshot.localhost").toList());
    }
}
