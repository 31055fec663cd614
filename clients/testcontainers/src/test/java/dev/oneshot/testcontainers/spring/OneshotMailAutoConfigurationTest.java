package dev.oneshot.testcontainers.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.testcontainers.OneshotContainer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.mail.MailSenderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.mail.MailSender;
import org.springframework.mail.javamail.JavaMailSenderImpl;

/** Spring Boot's choice of a mail sender, without a container. */
class OneshotMailAutoConfigurationTest {

    private static final OneshotConnectionDetails DETAILS = new OneshotConnectionDetails() {
        @Override
        public String smtpHost() {
            return "container.example";
        }

        @Override
        public int smtpPort() {
            return 32_525;
        }
    };

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(MailSenderAutoConfiguration.class, OneshotMailAutoConfiguration.class))
            .withPropertyValues("spring.mail.host=mail.example", "spring.mail.username=user");

    @Test
    void mailGoesToTheContainerAndNotToTheServerOfTheSettings() {
        application.withBean(OneshotConnectionDetails.class, () -> DETAILS).run(context -> {
            JavaMailSenderImpl sender = context.getBean(JavaMailSenderImpl.class);

            assertThat(sender.getHost()).isEqualTo("container.example");
            assertThat(sender.getPort()).isEqualTo(32_525);
            assertThat(sender.getUsername()).isNull();
        });
    }

    @Test
    void withoutAContainerTheSettingsDecide() {
        application.run(context ->
                assertThat(context.getBean(JavaMailSenderImpl.class).getHost()).isEqualTo("mail.example"));
    }

    @Test
    void aSenderOfTheApplicationStays() {
        JavaMailSenderImpl own = new JavaMailSenderImpl();

        application
                .withBean(OneshotConnectionDetails.class, () -> DETAILS)
                .withBean(MailSender.class, () -> own)
                .run(context -> assertThat(context.getBean(MailSender.class)).isSameAs(own));
    }

    @Test
    void thePortsOfTheImageAreExposed() {
        try (OneshotContainer container = new OneshotContainer("oneshot-dev")) {
            assertThat(container.getExposedPorts()).isEqualTo(List.of(8080, 2525));
        }
    }
}
