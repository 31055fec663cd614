package dev.oneshot.api;

import io.quarkus.arc.Arc;
import java.lang.reflect.Proxy;

/** The beans of the service under test. */
public final class TestBean {

    private TestBean() {}

    public static <T> T of(Class<T> type) {
        return Arc.container().instance(type).get();
    }

    /** A bean that a test does not use: any call fails. */
    public static <T> T unused(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            throw new UnsupportedOperationException(method.getName());
        }));
    }
}
