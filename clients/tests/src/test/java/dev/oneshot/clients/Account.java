package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.client.OneshotClient;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * An account of the stack, created by its operator.
 *
 * @param baseUrl the public API
 * @param key its API key
 */
record Account(String baseUrl, String key) {

    /** On the plan scale. */
    static Account create(LocalStack stack) {
        return create(stack, "scale");
    }

    static Account create(LocalStack stack, String plan) {
        String key = stack.createAccount("clients", plan).key();
        return new Account("http://127.0.0.1:" + stack.port(Port.HTTP) + "/v1", key);
    }

    /**
     * Delivers a message to an address, as an application under test makes its mail server do.
     *
     * @param message lines of ASCII that end with LF
     */
    static void deliver(LocalStack stack, String address, String message) throws IOException {
        byte[] octets = (message.replace("\n", "\r\n") + "\r\n").getBytes(StandardCharsets.US_ASCII);
        assertThat(SmtpClient.deliver(stack.settings().port(Port.SMTP), address, octets))
                .startsWith("250");
    }

    OneshotClient client() {
        return OneshotClient.builder().baseUrl(baseUrl).apiKey(key).build();
    }
}
