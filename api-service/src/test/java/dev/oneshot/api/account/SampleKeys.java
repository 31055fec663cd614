package dev.oneshot.api.account;

import dev.oneshot.contracts.signing.SigningKey;
import dev.oneshot.local.backends.TemporaryBackends;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/** API keys without an account. */
public final class SampleKeys {

    static final SigningKey SIGNING = SigningKey.ofBase64(TemporaryBackends.API_KEY_SECRET);

    private static final SecureRandom RANDOM = new SecureRandom();

    private SampleKeys() {}

    /** As the service under test issues them. */
    public static ApiKey signed() {
        return ApiKey.generate(RANDOM, SIGNING);
    }

    /** Signed with a secret that the service under test does not have. */
    public static ApiKey forged() {
        return ApiKey.generate(RANDOM, signingKey(7));
    }

    /** A secret of these bytes. */
    public static SigningKey signingKey(int fill) {
        byte[] secret = new byte[SigningKey.SECRET_BYTES_MIN];
        Arrays.fill(secret, (byte) fill);
        return SigningKey.ofBase64(Base64.getEncoder().encodeToString(secret));
    }
}
