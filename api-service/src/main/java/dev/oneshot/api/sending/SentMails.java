package dev.oneshot.api.sending;

import dev.oneshot.api.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How requests to send ended, for those who may see it. */
@ApplicationScoped
public class SentMails {

    private final Database database;

    SentMails(Database database) {
        this.database = database;
    }

    /**
     * Ends, newest first.
     *
     * @param before only what is further down the list than this time and id
     * @param outcome only these, if not null
     * @param addressId only this, if not null
     */
    public List<Settlements.Row> list(
            Instant before, String beforeId, @Nullable String outcome, @Nullable String addressId, int rowsMax) {
        return database.statement(
                connection -> Settlements.list(connection, before, beforeId, outcome, addressId, rowsMax));
    }
}
