package dev.oneshot.api.database;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.transaction.Transactional;

/** Repeats {@code @Transactional} methods that lost a race and translates their failures; it is outside of their transaction. */
@Interceptor
@Transactional
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 100)
class Transactions {

    private final Database database;

    Transactions(Database database) {
        this.database = database;
    }

    @AroundInvoke
    Object run(InvocationContext method) {
        return database.attempt(method::proceed);
    }
}
