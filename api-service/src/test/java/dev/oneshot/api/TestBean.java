package dev.oneshot.api;

import io.quarkus.arc.Arc;

/** The beans of the service under test. */
public final class TestBean {

    private TestBean() {}

    public static <T> T of(Class<T> type) {
        return Arc.container().instance(type).get();
    }
}
