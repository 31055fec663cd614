package dev.oneshot.endtoend;

import dev.oneshot.local.stack.junit.SharedStack;
import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Orders the tests. First come tests that share the stack or have their own: those with {@link Order}, then the others. Tests that need
 * all of the shared stack come last.
 */
public final class SharersFirst implements ClassOrderer {

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors()
                .sort(Comparator.comparingInt(SharersFirst::turn).thenComparingInt(SharersFirst::order));
    }

    private static int turn(ClassDescriptor test) {
        return test.findRepeatableAnnotations(ResourceLock.class).stream()
                .filter(lock -> lock.value().equals(SharedStack.LOCK))
                .findAny()
                .map(lock -> lock.mode() == ResourceAccessMode.READ ? 0 : 1)
                .orElse(0);
    }

    private static int order(ClassDescriptor test) {
        return test.findAnnotation(Order.class).map(Order::value).orElse(Order.DEFAULT);
    }
}
