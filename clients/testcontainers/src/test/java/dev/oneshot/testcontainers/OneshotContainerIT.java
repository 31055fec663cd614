package dev.oneshot.testcontainers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.oneshot.client.Address;
import dev.oneshot.client.OneshotClient;
import dev.oneshot.testcontainers.quarkus.OneshotTestResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager.TestInjector;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.JavaMailSenderImpl;
import org.testcontainers.DockerClientFactory;

/**
 * The container, as Spring Boot and Quarkus use it, in Docker or podman, with the image that the tests of deploy/images build. Without
 * these the test is skipped, and a line says so. It starts podman's service if there is neither {@code DOCKER_HOST} nor Docker's socket.
 */
class OneshotContainerIT {

    private static final String IMAGE = "localhost/oneshot-dev:test";
    private static final Duration WAIT = Duration.ofMinutes(2);

    private static final Path SOCKET_OF_DOCKER = Path.of("/var/run/docker.sock");

    @TempDir
    private static Path folder;

    private static @Nullable PodmanService podman;

    @BeforeAll
    static void requireImage() throws Exception {
        if (System.getenv("DOCKER_HOST") == null && !Files.exists(SOCKET_OF_DOCKER)) {
            podman = PodmanService.start(IMAGE, folder).orElse(null);
        }
        if (podman != null) {
            System.setProperty("DOCKER_HOST", podman.dockerHost());
        }
        String why;
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            why = "no Docker, and no podman that runs " + IMAGE;
        } else if (DockerClientFactory.lazyClient()
                .listImagesCmd()
                .withFilter("reference", List.of(IMAGE))
                .exec()
                .isEmpty()) {
            why = "no image " + IMAGE;
        } else {
            return;
        }
        String line = "########## NOT TESTED: oneshot-testcontainers: " + why + " ##########";
        System.out.println("oneshot: " + line);
        abort(line);
    }

    @AfterAll
    static void stopPodman() {
        if (podman != null) {
            podman.close();
        }
    }

    @Test
    void springSendsItsMailToTheContainerWhateverItsSettingsSay() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.mail.host=mail.invalid",
                        "--spring.mail.username=user",
                        "--spring.mail.password=secret")) {
            OneshotContainer container = context.getBean(OneshotContainer.class);

            assertThat(codeSentBy(context.getBean(JavaMailSender.class), container))
                    .isEqualTo("482913");
        }
    }

    @Test
    void quarkusGetsTheContainerAndSettingsThatNameIt() throws Exception {
        OneshotTestResource resource = new OneshotTestResource();
        resource.init(Map.of("image", IMAGE));
        OfQuarkus test = new OfQuarkus();
        try {
            Map<String, String> settings = resource.start();
            resource.inject(new FieldsOf(test));
            JavaMailSenderImpl sender = new JavaMailSenderImpl();
            sender.setHost(settings.get("quarkus.mailer.host"));
            sender.setPort(Integer.parseInt(settings.getOrDefault("quarkus.mailer.port", "0")));

            assertThat(codeSentBy(sender, requireNonNull(test.oneshot))).isEqualTo("482913");
            assertThat(settings).containsEntry("quarkus.mailer.mock", "false");
        } finally {
            resource.stop();
        }
        assertThat(requireNonNull(test.oneshot).isRunning()).isFalse();
    }

    private static String codeSentBy(JavaMailSender sender, OneshotContainer container) throws InterruptedException {
        OneshotClient client = OneshotClient.builder()
                .baseUrl(container.baseUrl())
                .apiKey(container.apiKey())
                .build();
        Address address = client.createAddress();
        SimpleMailMessage mail = new SimpleMailMessage();
        mail.setFrom("app@example.org");
        mail.setTo(address.address());
        mail.setSubject("Welcome");
        mail.setText("Your verification code is 482913.");

        sender.send(mail);

        return client.awaitEmail(address, WAIT).code().orElseThrow().value();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        @ServiceConnection
        OneshotContainer oneshot() {
            return new OneshotContainer(IMAGE);
        }
    }

    /** As a test of Quarkus. */
    private static final class OfQuarkus {
        private @Nullable OneshotContainer oneshot;
    }

    /** Sets fields as Quarkus does. */
    private record FieldsOf(Object test) implements TestInjector {

        @Override
        public void injectIntoFields(Object value, Predicate<Field> predicate) {
            List<Field> matching = new ArrayList<>();
            for (Field field : test.getClass().getDeclaredFields()) {
                if (predicate.test(field)) {
                    matching.add(field);
                }
            }
            assertThat(matching).hasSize(1);
            try {
                matching.get(0).set(test, value);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
    }
}
