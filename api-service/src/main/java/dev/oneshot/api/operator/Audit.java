package dev.oneshot.api.operator;

import java.util.Locale;
import java.util.UUID;
import org.jboss.logging.Logger;

/** A line for every change that the operator makes, in the log category {@code dev.oneshot.audit}. */
final class Audit {

    private static final Logger LOG = Logger.getLogger("dev.oneshot.audit");

    private Audit() {}

    /** The action of the operator. */
    enum Action {
        CREATE,
        CHANGE,
        DELETE,
        CREDITS,
        API_KEY
    }

    /**
     * Writes the line, once the change is committed.
     *
     * @param details further facts with keys, or empty; never a key or anything of a mail
     */
    static void record(Action action, UUID accountId, String details) {
        LOG.infof(
                "audit operator action=%s accountId=%s%s",
                action.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                accountId,
                details.isEmpty() ? "" : " " + details);
    }
}
