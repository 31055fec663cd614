package dev.oneshot.api.address;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Deletes the mail of addresses whose rows are gone: one statement for each hourly partition that has some of it. */
final class RemovedMail {

    /** The range is what lets PostgreSQL look into the one partition that matters. */
    private static final String DELETE =
            "DELETE FROM mail WHERE address_id = ANY (?) AND expires_at >= ? AND expires_at <= ?";

    /**
     * A partition may never have been analysed: then the planner would take so many ids for all there are and read the
     * whole of it. And a plan for any range would look into all partitions.
     */
    private static final String BY_INDEX_OF_ONE_PARTITION =
            "SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_custom_plan";

    private RemovedMail() {}

    /** A part of the transaction that deleted the rows. */
    static void delete(Connection connection, List<Removed> removed) throws SQLException {
        Collection<List<Removed>> hours = removed.stream()
                .filter(address -> address.status() == Status.RECEIVED)
                .collect(Collectors.groupingBy(address -> address.expiresAt().truncatedTo(ChronoUnit.HOURS)))
                .values();
        if (hours.isEmpty()) {
            return;
        }
        try (Statement plan = connection.createStatement()) {
            plan.execute(BY_INDEX_OF_ONE_PARTITION);
        }
        try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
            for (List<Removed> hour : hours) {
                List<Instant> expiries =
                        hour.stream().map(Removed::expiresAt).sorted().toList();
                delete.setArray(
                        1,
                        connection.createArrayOf(
                                "text", hour.stream().map(Removed::id).toArray()));
                delete.setObject(2, expiries.getFirst().atOffset(ZoneOffset.UTC));
                delete.setObject(3, expiries.getLast().atOffset(ZoneOffset.UTC));
                delete.executeUpdate();
            }
        }
    }
}
