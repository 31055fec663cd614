package dev.oneshot.expiry.database;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** A migrated database for the service under test, in the service's own role. */
public final class ExpiryDatabase implements QuarkusTestResourceLifecycleManager {

    @Override
    public Map<String, String> start() {
        return TestDatabase.create().configuration();
    }

    @Override
    public void stop() {
        // The server ends with the JVM, and its databases with it.
    }
}
