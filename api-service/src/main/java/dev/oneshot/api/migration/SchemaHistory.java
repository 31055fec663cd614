package dev.oneshot.api.migration;

import dev.oneshot.contracts.migration.MigrationScripts;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** What was done to the database, as Flyway has written it down there. */
@Singleton
public final class SchemaHistory {

    private static final Logger LOG = Logger.getLogger(SchemaHistory.class);

    private final DataSource dataSource;

    SchemaHistory(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Whether it says that exactly our scripts, in the octets we have, were run and succeeded: then Flyway would find
     * nothing to do and nothing to object to. If not, or if it cannot be read, that is for Flyway to judge.
     */
    boolean isComplete() throws IOException {
        Map<String, Integer> missing = new HashMap<>();
        for (String name : MigrationScripts.NAMES) {
            missing.put(name, MigrationScripts.checksum(name));
        }
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT script, checksum, success FROM flyway_schema_history");
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                // Before the scripts were a list, their folder was part of the name.
                String name = row.getString("script").replaceFirst("^" + MigrationScripts.FOLDER + "/", "");
                if (!row.getBoolean("success") || !missing.remove(name, row.getInt("checksum"))) {
                    return false;
                }
            }
        } catch (SQLException e) {
            LOG.debug("the history of migrations cannot be read, so Flyway looks", e);
            return false;
        }
        return missing.isEmpty();
    }
}
