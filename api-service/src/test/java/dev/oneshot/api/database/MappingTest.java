package dev.oneshot.api.database;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.ServiceTest;
import jakarta.inject.Inject;
import org.hibernate.SessionFactory;
import org.hibernate.tool.schema.spi.SchemaManagementException;
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

    @Test
    void columnOfAnotherNameIsNoticed() {
        database.update("ALTER TABLE invoice_item RENAME COLUMN invoiced_at TO paid_at");
        try {
            assertThatThrownBy(this::validate)
                    .isInstanceOf(SchemaManagementException.class)
                    .hasMessageContaining("invoiced_at");
        } finally {
            database.update("ALTER TABLE invoice_item RENAME COLUMN paid_at TO invoiced_at");
        }
    }

    private void validate() {
        mapping.getSchemaManager().validateMappedObjects();
    }
}
