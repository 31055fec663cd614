package dev.oneshot.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A parameter or a field that gets an address, as a {@link Mailbox} or an {@link dev.oneshot.client.Address}:
 * {@code void signsUp(@Inbox Mailbox inbox)}. It needs a {@link OneshotExtension}.
 *
 * <p>The address belongs to the running test if it is for a test method, a method that runs before or after each test, the
 * constructor, or a field. It belongs to all tests of the class if it is for a method that runs before or after all of them, for
 * a static field, or if the tests share one instance of the class ({@code Lifecycle.PER_CLASS}), for its constructor or a field.
 */
@Documented
@Target({ElementType.PARAMETER, ElementType.FIELD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(InboxCheck.class)
public @interface Inbox {

    /** Those with the same name have the same address within a test: {@code @Inbox("admin") Mailbox admin}. */
    String value() default "";
}
