package dev.oneshot.local.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The account for trying out the stack. */
final class DemoAccount {

    private DemoAccount() {}

    /** The file of its key. */
    static Path keyFile(Path state) {
        return state.resolve("demo-api-key");
    }

    /** The key of the account. Creates the account if there is none or its key is not valid. */
    static String ensure(LocalStack stack) throws IOException, InterruptedException {
        Path file = keyFile(stack.settings().state());
        String kept = Files.exists(file) ? Files.readString(file).strip() : "none";
        if (StackAccount.isKey(stack.port(Port.HTTP), kept)) {
            return kept;
        }
        String key = stack.createAccount("demo", "scale").key();
        Secrets.write(file, key);
        return key;
    }
}
