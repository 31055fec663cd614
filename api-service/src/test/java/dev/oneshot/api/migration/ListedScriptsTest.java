package dev.oneshot.api.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.migration.MigrationScripts;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Objects;
import org.flywaydb.core.api.resource.LoadableResource;
import org.junit.jupiter.api.Test;

class ListedScriptsTest {

    private final ListedScripts scripts = new ListedScripts();

    @Test
    void thoseOfAKindAreAllFound() {
        assertThat(scripts.getResources("V", new String[] {".sql"}))
                .extracting(LoadableResource::getFilename)
                .isEqualTo(MigrationScripts.NAMES);
        assertThat(scripts.getResources("R", new String[] {".sql"})).isEmpty();
        assertThat(scripts.getResources("V", new String[] {".java"})).isEmpty();
    }

    /** Without it an index could not be built outside of a transaction. */
    @Test
    void fileBesideAScriptIsReadIfThereIsOne() throws IOException {
        assertThat(scripts.getResource("V1__accounts_addresses_mail.sql.conf")).isNull();

        LoadableResource there = Objects.requireNonNull(scripts.getResource("beside-a-script.sql.conf"));
        try (BufferedReader lines = new BufferedReader(there.read())) {
            assertThat(lines.readLine()).isEqualTo("executeInTransaction=false");
        }
    }
}
