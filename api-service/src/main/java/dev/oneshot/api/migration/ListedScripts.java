package dev.oneshot.api.migration;

import dev.oneshot.contracts.migration.MigrationScripts;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

/** Our scripts, as Flyway asks for them. */
final class ListedScripts implements ResourceProvider {

    private final List<LoadableResource> scripts =
            MigrationScripts.NAMES.stream().<LoadableResource>map(Script::new).toList();

    /** A file beside a script, which says how to run it and usually is not there, has its name with an ending more. */
    @Override
    public @Nullable LoadableResource getResource(String name) {
        return MigrationScripts.exists(name) ? new Script(name) : null;
    }

    @Override
    public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
        return scripts.stream()
                .filter(script -> script.getFilename().startsWith(prefix)
                        && Arrays.stream(suffixes).anyMatch(script.getFilename()::endsWith))
                .toList();
    }

    private static final class Script extends LoadableResource {

        private final String name;

        Script(String name) {
            this.name = name;
        }

        @Override
        public Reader read() {
            return new InputStreamReader(MigrationScripts.open(name), StandardCharsets.UTF_8);
        }

        @Override
        public String getFilename() {
            return name;
        }

        /** Below the place where scripts are. */
        @Override
        public String getRelativePath() {
            return name;
        }

        @Override
        public String getAbsolutePath() {
            return MigrationScripts.FOLDER + "/" + name;
        }

        /** In a jar, so there is none. */
        @Override
        public @Nullable String getAbsolutePathOnDisk() {
            return null;
        }
    }
}
