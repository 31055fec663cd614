package dev.oneshot.local.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/** The account for trying out the stack. */
final class DemoAccount {

    /** The variable with a chosen key. */
    static final String KEY_SETTING = StackSettings.PREFIX + "LOCAL_API_KEY";

    private static final String KNOWS_KEY = "SELECT FROM account WHERE api_key_sha256 = sha256(convert_to(?, 'UTF8'))";
    private static final String SET_KEY =
            "UPDATE account SET api_key_sha256 = sha256(convert_to(?, 'UTF8')) WHERE id = ?";

    private DemoAccount() {}

    /** The file of its key. */
    static Path keyFile(Path state) {
        return state.resolve("demo-api-key");
    }

    /**
     * The key of the account. Creates the account if there is none or its key is not valid. The environment may set the
     * key.
     *
     * @throws StackException if the chosen key is not valid on this stack; the message names the variable
     */
    static String ensure(LocalStack stack, Map<String, String> environment) throws IOException, InterruptedException {
        Path file = keyFile(stack.settings().state());
        int port = stack.port(Port.HTTP);
        String key = environment.getOrDefault(KEY_SETTING, "");
        if (!key.isEmpty()) {
            // Stored before the API gets the key, as it remembers which keys do not exist.
            setKey(stack, key);
            if (!StackAccount.isKey(port, key)) {
                throw new StackException(KEY_SETTING + " must be a key made with the same ONESHOT_API_KEY_SECRETS");
            }
        } else if (Files.exists(file)
                && StackAccount.isKey(port, Files.readString(file).strip())) {
            return Files.readString(file).strip();
        } else {
            key = stack.createAccount("demo", "scale").key();
        }
        Secrets.write(file, key);
        return key;
    }

    private static void setKey(LocalStack stack, String key) {
        try (Connection connection = stack.database().connect();
                PreparedStatement knows = connection.prepareStatement(KNOWS_KEY);
                PreparedStatement set = connection.prepareStatement(SET_KEY)) {
            knows.setString(1, key);
            if (!knows.executeQuery().next()) {
                set.setString(1, key);
                set.setObject(
                        2, UUID.fromString(stack.createAccount("demo", "scale").id()));
                set.executeUpdate();
            }
        } catch (SQLException e) {
            throw new StackException("cannot set the key of the demo account: " + e.getMessage());
        }
    }
}
