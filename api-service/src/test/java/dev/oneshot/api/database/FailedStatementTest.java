package dev.oneshot.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oneshot.api.ServiceTest;
import io.quarkus.arc.Arc;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;

@ServiceTest
class FailedStatementTest {

    private static final String CONTENT = "nobody else's business";

    @Test
    void whatWasToBeStoredIsNotInTheException() throws SQLException {
        DataSource database = Arc.container().instance(DataSource.class).get();
        BatchUpdateException failure;
        try (Connection connection = database.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO address (id, mail_subject) VALUES ('x', ?)")) {
            insert.setString(1, CONTENT);
            insert.addBatch();
            failure = catchThrowableOfType(BatchUpdateException.class, insert::executeBatch);
        }

        assertThat(failure.getSQLState()).isEqualTo("23502");
        assertThat(StreamSupport.stream(failure.spliterator(), false).map(Throwables::getStackTrace))
                .isNotEmpty()
                .allSatisfy(logged -> assertThat(logged).doesNotContain(CONTENT));
    }
}
