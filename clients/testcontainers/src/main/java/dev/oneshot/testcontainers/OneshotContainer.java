package dev.oneshot.testcontainers;

import java.io.IOException;
import java.time.Duration;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A container of the image {@code oneshot-dev}: REST API and SMTP server with all that is behind them. Nothing is kept when it
 * stops.
 *
 * <pre>{@code
 * static final OneshotContainer ONESHOT = new OneshotContainer("registry.example.com/oneshot-dev:1.0.0");
 *
 * ONESHOT.start();
 * OneshotClient client = OneshotClient.builder().baseUrl(ONESHOT.baseUrl()).apiKey(ONESHOT.apiKey()).build();
 * }</pre>
 *
 * <p>The application under test sends its mail to {@link #getHost()} and {@link #smtpPort()}, or, from a container in the same
 * network, to port {@value #SMTP_PORT}.
 */
public final class OneshotContainer extends GenericContainer<OneshotContainer> {

    /** The port of the REST API in the container. */
    public static final int HTTP_PORT = 8080;

    /** The port of the SMTP server in the container. */
    public static final int SMTP_PORT = 2525;

    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final String KEY_FILE = "/oneshot/.oneshot/demo-api-key";

    /** Of the image that the environment variable {@code ONESHOT_IMAGE} names, or {@code oneshot-dev}. */
    public OneshotContainer() {
        this(System.getenv().getOrDefault("ONESHOT_IMAGE", "oneshot-dev"));
    }

    /** @param image as in {@code registry.example.com/oneshot-dev:1.0.0} */
    public OneshotContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /** @param image as in {@code registry.example.com/oneshot-dev:1.0.0} */
    public OneshotContainer(DockerImageName image) {
        super(image);
        withExposedPorts(HTTP_PORT, SMTP_PORT);
        waitingFor(Wait.forLogMessage(".*oneshot is ready.*", 1).withStartupTimeout(START_TIMEOUT));
    }

    /** The base URL of the REST API, for clients on this machine. */
    public String baseUrl() {
        return "http://" + getHost() + ":" + getMappedPort(HTTP_PORT) + "/v1";
    }

    /** The port of the SMTP server on {@link #getHost()}. */
    public int smtpPort() {
        return getMappedPort(SMTP_PORT);
    }

    /**
     * The key of an account on the plan {@code scale}.
     *
     * @throws ContainerLaunchException if the container does not run
     */
    public String apiKey() {
        try {
            ExecResult key = execInContainer("cat", KEY_FILE);
            if (key.getExitCode() != 0) {
                throw new ContainerLaunchException("no API key in " + KEY_FILE + ": " + key.getStderr());
            }
            return key.getStdout().strip();
        } catch (IOException e) {
            throw new ContainerLaunchException("cannot read " + KEY_FILE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ContainerLaunchException("interrupted while reading " + KEY_FILE, e);
        }
    }
}
