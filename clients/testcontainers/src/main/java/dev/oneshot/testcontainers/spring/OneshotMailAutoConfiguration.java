package dev.oneshot.testcontainers.spring;

import java.nio.charset.StandardCharsets;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.mail.MailSender;
import org.springframework.mail.javamail.JavaMailSenderImpl;

/**
 * The mail sender of the application, on the container. It replaces that of Spring Boot, which takes no connection details, and
 * so {@code spring.mail.*}, whose user, password and TLS are those of another server.
 */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.autoconfigure.mail.MailSenderAutoConfiguration",
            "org.springframework.boot.mail.autoconfigure.MailSenderAutoConfiguration"
        })
@ConditionalOnClass(JavaMailSenderImpl.class)
@ConditionalOnBean(OneshotConnectionDetails.class)
public class OneshotMailAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(MailSender.class)
    JavaMailSenderImpl mailSender(OneshotConnectionDetails oneshot) {
        JavaMailSenderImpl sender = new JavaMailSenderImpl();
        sender.setHost(oneshot.smtpHost());
        sender.setPort(oneshot.smtpPort());
        sender.setDefaultEncoding(StandardCharsets.UTF_8.name());
        return sender;
    }
}
