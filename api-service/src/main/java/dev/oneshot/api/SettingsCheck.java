package dev.oneshot.api;

import dev.oneshot.api.account.KeyRing;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.address.AddressConfig;
import dev.oneshot.api.background.BackgroundWork;
import dev.oneshot.api.body.BodyConfig;
import dev.oneshot.api.connection.ConnectionConfig;
import dev.oneshot.api.console.ConsoleRoutes;
import dev.oneshot.api.http.CrossOrigin;
import dev.oneshot.api.idempotency.Idempotency;
import dev.oneshot.api.inbox.InboxConfig;
import dev.oneshot.api.letter.LetterQueue;
import dev.oneshot.api.migration.Migration;
import dev.oneshot.api.operator.OperatorRoutes;
import dev.oneshot.api.sending.OutboxRelay;
import dev.oneshot.contracts.setting.UnknownSettings;
import dev.oneshot.contracts.trace.TracingConfig;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.Config;

/** Stops the start, before anything else is done, when a setting of this service is misspelt. */
@Startup(Migration.PRIORITY - 1)
@Singleton
final class SettingsCheck {

    /** Each feature's settings. */
    static final List<Class<?>> MAPPINGS = List.of(
            AddressConfig.class,
            BackgroundWork.Config.class,
            ConsoleRoutes.Config.class,
            BodyConfig.class,
            ConnectionConfig.class,
            CrossOrigin.Config.class,
            Idempotency.Config.class,
            InboxConfig.class,
            KeyRing.Config.class,
            LetterQueue.Config.class,
            Migration.Config.class,
            OperatorRoutes.Config.class,
            OutboxRelay.Config.class,
            Plans.Config.class,
            TracingConfig.class);

    /** Settings that {@code application.properties} and schedules refer to. */
    static final Set<String> UNMAPPED = Set.of(
            "oneshot.account.removals-every",
            "oneshot.database.connections",
            "oneshot.database.password",
            "oneshot.database.url",
            "oneshot.database.username",
            "oneshot.http.host",
            "oneshot.http.port",
            "oneshot.management.host",
            "oneshot.management.port");

    SettingsCheck(Config config) {
        UnknownSettings.reject(config, MAPPINGS, UNMAPPED);
    }
}
