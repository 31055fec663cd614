package dev.oneshot.api;

import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.local.backends.quarkus.PostgresResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test of the whole service with a real database and broker. */
@QuarkusTest
@WithTestResource(PostgresResource.class)
@WithTestResource(KafkaResource.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ServiceTest {}
