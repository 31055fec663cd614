package dev.oneshot.api.database;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.oneshot.api.ServiceTest;
import jakarta.inject.Inject;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** Compares the entities' mapping with the schema of the migrations. */
@ServiceTest
class MappingTest {

    @Inject
    Database database;

    @Inject
    SessionFactory mapping;

    @Test
    void everyEntityHasItsTableAndColumns() {
        assertThatCode(this::validate).doesNotThrowAnyException();
    }

    private void validate() {
        mapping.getSchemaManager().validateMappedObjects();
    }
}
