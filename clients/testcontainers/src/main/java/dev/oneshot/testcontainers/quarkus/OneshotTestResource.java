package dev.oneshot.testcontainers.quarkus;

import dev.oneshot.testcontainers.OneshotContainer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs oneshot for the tests of a Quarkus application, which then sends its mail there:
 *
 * <pre>{@code
 * @QuarkusTest
 * @QuarkusTestResource(OneshotTestResource.class)
 * class SignUpTest {
 *     OneshotContainer oneshot;
 * }
 * }</pre>
 *
 * <p>A field of the test of the type {@link OneshotContainer} gets the container. The argument {@code image} names another image.
 */
public final class OneshotTestResource implements QuarkusTestResourceLifecycleManager {

    private @Nullable String image;
    private @Nullable OneshotContainer container;

    @Override
    public void init(Map<String, String> arguments) {
        image = arguments.get("image");
    }

    @Override
    public Map<String, String> start() {
        OneshotContainer starting = image == null ? new OneshotContainer() : new OneshotContainer(image);
        container = starting;
        starting.start();
        return Map.of(
                "quarkus.mailer.mock", "false",
                "quarkus.mailer.host", starting.getHost(),
                "quarkus.mailer.port", Integer.toString(starting.smtpPort()),
                "quarkus.mailer.tls", "false",
                "quarkus.mailer.start-tls", "DISABLED",
                "quarkus.mailer.login", "DISABLED");
    }

    @Override
    public void inject(TestInjector fields) {
        fields.injectIntoFields(container, new TestInjector.MatchesType(OneshotContainer.class));
    }

    @Override
    public void stop() {
        if (container != null) {
            container.stop();
        }
    }
}
