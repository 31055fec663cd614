package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.mailer.compose.SmtpMail;
import dev.oneshot.testing.ScriptedRelay;
import dev.oneshot.testing.TestSettings;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A relay that follows a script, and its client with short timeouts.
 *
 * @param server the relay
 * @param client the tested class
 */
public record TestRelay(ScriptedRelay server, Relay client) implements AutoCloseable {

    static final Tracer NO_SPANS = OpenTelemetry.noop().getTracer("test");

    /** A client without TLS, if the settings do not say otherwise. They have no prefix. */
    static TestRelay of(ScriptedRelay server, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("port", Integer.toString(server.port()));
        return new TestRelay(server, new Relay(config(all), NO_SPANS));
    }

    static TestRelay of(ScriptedRelay.Script script, Map<String, String> settings) {
        return of(new ScriptedRelay(script), settings);
    }

    static TestRelay of(ScriptedRelay.Script script) {
        return of(script, Map.of());
    }

    static RelayConfig config(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "hello-name", "out.example.org",
                "tls", "none",
                "connect-timeout", "5s",
                "reply-timeout", "10s",
                "data-reply-timeout", "10s",
                "attempt-timeout", "20s",
                "idle-timeout", "10s",
                "mails-per-connection", "3"));
        all.putAll(settings);
        return TestSettings.of(RelayConfig.class, all);
    }

    /** Sends under a lease that outlasts the test. */
    RelayResult send(SmtpMail mail) {
        return client.send(mail, () -> true);
    }

    /** A result by its words, as in {@code Refused REPLY 550 5.1.1}. */
    public static RelayResult result(String text) {
        String[] words = text.split(" ", -1);
        Failure failure = Failure.valueOf(words[1]);
        Reply reply =
                words.length == 2 ? null : new Reply(Integer.parseInt(words[2]), words.length == 3 ? null : words[3]);
        return words[0].equals("Refused")
                ? new RelayResult.Refused(failure, reply)
                : new RelayResult.Failed(failure, reply);
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
