package dev.oneshot.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oneshot.api.ServiceTest;
import io.quarkus.arc.Arc;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
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
        assertThat(StreamSupport.stream(failure.spliterator(), false).map(FailedStatementTest::asLogged))
                .isNotEmpty()
                .allSatisfy(logged -> assertThat(logged).doesNotContain(CONTENT));
    }

    private static String asLogged(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
