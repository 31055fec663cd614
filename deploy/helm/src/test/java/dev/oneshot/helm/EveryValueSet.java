package dev.oneshot.helm;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of the objects that an installation with each value set under {@code ci} creates. */
@ParameterizedTest
@MethodSource("dev.oneshot.helm.Chart#installations")
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface EveryValueSet {}
