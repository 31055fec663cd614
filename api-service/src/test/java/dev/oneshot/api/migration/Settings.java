package dev.oneshot.api.migration;

import java.time.Duration;

/** Settings of a process that migrates at its start and then serves. */
record Settings(Duration lockTimeout, Duration lockPatience, Duration statementTimeout) implements MigrationConfig {

    @Override
    public boolean atStart() {
        return true;
    }

    @Override
    public boolean only() {
        return false;
    }
}
