package dev.oneshot.expiry.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Connections to a database that count the statements prepared or created on them. */
public final class CountedStatements {

    private final AtomicInteger count = new AtomicInteger();
    private final DataSource dataSource;

    /** Of the service's role. */
    public CountedStatements(TestDatabase database) {
        DataSource real = database.asService();
        this.dataSource = proxy(
                DataSource.class,
                real,
                (method, result) -> result instanceof Connection connection
                        ? proxy(Connection.class, connection, this::counted)
                        : result);
    }

    /** The counted connections. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** How many statements an action takes. */
    public int during(Runnable action) {
        int before = count.get();
        action.run();
        return count.get() - before;
    }

    private Object counted(Method method, Object result) {
        if (method.getName().endsWith("Statement")) {
            count.incrementAndGet();
        }
        return result;
    }

    @FunctionalInterface
    private interface Seen {
        Object by(Method method, Object result);
    }

    private static <T> T proxy(Class<T> type, T real, Seen seen) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return seen.by(method, method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
