package dev.oneshot.local.stack;

/** The ports that the stack listens on, always on 127.0.0.1. */
public enum Port {
    HTTP("ONESHOT_HTTP_PORT", 8080, "REST API"),
    SMTP("ONESHOT_SMTP_PORT", 2525, "SMTP"),
    API_MANAGEMENT("ONESHOT_LOCAL_API_MANAGEMENT_PORT", 9000, "api-service health, metrics, operator API"),
    INGEST_MANAGEMENT("ONESHOT_LOCAL_INGEST_MANAGEMENT_PORT", 9001, "smtp-ingest-service health, metrics"),
    MAILER_MANAGEMENT("ONESHOT_LOCAL_MAILER_MANAGEMENT_PORT", 9002, "outbound-mailer-service health, metrics"),
    EXPIRY_MANAGEMENT("ONESHOT_LOCAL_EXPIRY_MANAGEMENT_PORT", 9003, "expiry-service health, metrics"),
    KAFKA("ONESHOT_LOCAL_KAFKA_PORT", 9092, "Kafka"),
    POSTGRES("ONESHOT_LOCAL_POSTGRES_PORT", 15_432, "PostgreSQL");

    private final String setting;
    private final int byDefault;
    private final String purpose;

    Port(String setting, int byDefault, String purpose) {
        this.setting = setting;
        this.byDefault = byDefault;
        this.purpose = purpose;
    }

    /** The environment variable for another number. */
    public String setting() {
        return setting;
    }

    int byDefault() {
        return byDefault;
    }

    String purpose() {
        return purpose;
    }
}
