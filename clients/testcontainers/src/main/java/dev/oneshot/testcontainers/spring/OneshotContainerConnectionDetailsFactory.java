package dev.oneshot.testcontainers.spring;

import dev.oneshot.testcontainers.OneshotContainer;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/** Makes the details from a container with {@code @ServiceConnection}. Spring Boot finds it in {@code spring.factories}. */
final class OneshotContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<OneshotContainer, OneshotConnectionDetails> {

    @Override
    protected OneshotConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<OneshotContainer> source) {
        return new Details(source);
    }

    private static final class Details extends ContainerConnectionDetails<OneshotContainer>
            implements OneshotConnectionDetails {

        Details(ContainerConnectionSource<OneshotContainer> source) {
            super(source);
        }

        @Override
        public String smtpHost() {
            return getContainer().getHost();
        }

        @Override
        public int smtpPort() {
            return getContainer().smtpPort();
        }
    }
}
