package dev.oneshot.local.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/**
 * Secrets of this stack, created at the first start, in files that only their owner can read.
 *
 * @param addressKey signs address ids, in base64
 * @param apiKeySecret signs API keys, in base64
 * @param operatorToken the bearer token of the operator API
 * @param databasePassword of the database's owner
 * @param expiryPassword of expiry-service's database user
 */
record Secrets(
        String addressKey, String apiKeySecret, String operatorToken, String databasePassword, String expiryPassword) {

    private static final String OPERATOR_TOKEN_SETTING = "ONESHOT_OPERATOR_TOKEN";
    private static final String API_KEY_SECRET_SETTING = "ONESHOT_API_KEY_SECRETS";
    private static final int SECRET_BYTES = 32;
    private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

    /**
     * The secrets in {@code state}, created if missing. The environment may set the operator token and the secret of the API
     * keys.
     */
    static Secrets of(Path state, Map<String, String> environment) throws IOException {
        String chosenToken = environment.getOrDefault(OPERATOR_TOKEN_SETTING, "");
        String chosenSecret = environment.getOrDefault(API_KEY_SECRET_SETTING, "");
        return new Secrets(
                kept(state.resolve("address-key"), Base64.getEncoder()),
                chosenSecret.isEmpty() ? kept(state.resolve("api-key-secret"), Base64.getEncoder()) : chosenSecret,
                chosenToken.isEmpty() ? kept(state.resolve("operator-token"), URL) : chosenToken,
                kept(state.resolve("database-password"), URL),
                kept(state.resolve("expiry-database-password"), URL));
    }

    /** Replaces a file by one that only its owner can read. */
    static void write(Path file, String content) throws IOException {
        // Only its owner can read a temporary file.
        Path fresh = Files.createTempFile(
                file.toAbsolutePath().getParent(), file.getFileName().toString(), "");
        Files.writeString(fresh, content + "\n");
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String kept(Path file, Base64.Encoder encoder) throws IOException {
        if (Files.notExists(file)) {
            byte[] secret = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(secret);
            write(file, encoder.encodeToString(secret));
        }
        return Files.readString(file).strip();
    }

    @Override
    public String toString() {
        return "Secrets[…]";
    }
}
