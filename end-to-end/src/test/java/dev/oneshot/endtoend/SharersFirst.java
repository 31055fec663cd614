package dev.oneshot.endtoend;

import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Tests that share the stack run first, in parallel, the longest of them by {@link Order}. Tests that need all of it follow, one after the other, beside those that
 * have a stack of their own.
 */
public final class SharersFirst implements ClassOrderer {

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors()
                .sort(Comparator.comparingInt(SharersFirst::turn).thenComparingInt(SharersFirst::order));
    }

    private static int turn(ClassDescriptor test) {
        return test.findAnnotation(ResourceLock.class)
                .map(lock -> lock.mode() == ResourceAccessMode.READ ? 0 : 2)
                .orElse(1);
    }

    private static int order(ClassDescriptor test) {
        return test.findAnnotation(Order.class).map(Order::value).orElse(Order.DEFAULT);
    }
}
