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

/** The table in which Flyway records the migrations of a database. */
@Singleton
public final class SchemaHistory {

    private static final Logger LOG = Logger.getLogger(SchemaHistory.class);

    private final DataSource dataSource;

    SchemaHistory(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Whether exactly the scripts of this service, with equal checksums, ran and succeeded: then Flyway has nothing to do.
     * Otherwise, or if the table cannot be read, Flyway decides.
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
                // Some versions record the folder too.
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
