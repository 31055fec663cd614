package dev.oneshot.api.operator;

import java.util.UUID;
import org.jboss.logging.Logger;

/** A line for every change that the operator makes, in the log category {@code dev.oneshot.audit}. */
final class Audit {

    private static final Logger LOG = Logger.getLogger("dev.oneshot.audit");

    private Audit() {}

    /**
     * Writes the line, once the change is committed.
     *
     * @param details further facts with keys, or empty; never a key or anything of a mail
     */
    static void record(String action, UUID accountId, String details) {
        LOG.info("audit operator action=%s accountId=%s %s"
                .formatted(action, accountId, details)
                .strip());
    }
}
