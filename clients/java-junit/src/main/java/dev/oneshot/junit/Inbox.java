package dev.oneshot.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A parameter that gets an address of the running test, as a {@link Mailbox} or an {@link dev.oneshot.client.Address}:
 * {@code void signsUp(@Inbox Mailbox inbox)}. Allowed at test methods and at methods that run before or after each test. See
 * {@link OneshotExtension}.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface Inbox {

    /** Parameters with the same name have the same address within a test: {@code @Inbox("admin") Mailbox admin}. */
    String value() default "";
}
