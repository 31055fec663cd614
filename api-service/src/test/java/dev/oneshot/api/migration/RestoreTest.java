package dev.oneshot.api.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.database.FreshDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The statement of docs/operations.md, "Restore". */
class RestoreTest {

    private static final Pattern STATEMENT = Pattern.compile("(?s)```sql\n(SELECT setval\\(.*?)```");
    private static final String NEW_ENTRY =
            "INSERT INTO credit_entry (account_id, credits, origin, reference) VALUES (gen_random_uuid(), 5, 'operator', 'new') RETURNING id";

    @Test
    void identitiesContinueAfterRowsThatWereCopied() throws IOException {
        // Given
        FreshDatabase database = FreshDatabase.create();
        database.sql()
                .execute("INSERT INTO credit_entry (id, account_id, credits, origin, reference) OVERRIDING SYSTEM VALUE"
                        + " SELECT id, gen_random_uuid(), 5, 'operator', 'copied' FROM generate_series(1, 41) id");
        assertThatThrownBy(() -> database.sql().texts(NEW_ENTRY)).hasStackTraceContaining("duplicate key");

        // When
        Matcher statement = STATEMENT.matcher(Files.readString(Path.of("../docs/operations.md")));
        assertThat(statement.find()).isTrue();
        database.sql().execute(statement.group(1));

        // Then
        assertThat(database.sql().texts(NEW_ENTRY)).containsExactly("42");
    }
}
