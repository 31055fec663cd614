package dev.oneshot.local.stack;

import java.nio.file.Path;

/** The four services. */
public enum Service {
    API("api", "api-service", Port.API_MANAGEMENT),
    INGEST("ingest", "smtp-ingest-service", Port.INGEST_MANAGEMENT),
    MAILER("mailer", "outbound-mailer-service", Port.MAILER_MANAGEMENT),
    EXPIRY("expiry", "expiry-service", Port.EXPIRY_MANAGEMENT);

    private final String label;
    private final String module;
    private final Port management;

    Service(String label, String module, Port management) {
        this.label = label;
        this.module = module;
        this.management = management;
    }

    /** What its log lines are prefixed with. */
    String label() {
        return label;
    }

    Port management() {
        return management;
    }

    /** What Quarkus packages it as. */
    Path jar(Path project) {
        return project.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
    }
}
