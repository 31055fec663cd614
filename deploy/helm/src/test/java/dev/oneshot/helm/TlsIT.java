package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.helm.CertificateAuthority.Pair;
import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.local.stack.ChildProcess;
import dev.oneshot.local.stack.Health;
import dev.oneshot.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged services with the chart's environment and mounted Secrets, against PostgreSQL and Kafka that require
 * TLS and client certificates.
 */
class TlsIT {

    private static final Duration START = Duration.ofMinutes(5);
    private static final String DATABASE_KEY = "EC";
    private static final String PASSWORD = "not-a-secret";

    @TempDir
    private static Path directory;

    private static final Map<String, String> SECRETS = new HashMap<>();
    private static int databasePort;
    private static int brokerPort;
    private static LocalPostgres postgres;
    private static LocalKafka kafka;
    private static Manifests manifests;

    @BeforeAll
    static void startServers() throws Exception {
        // PostgreSQL may run as another user.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        CertificateAuthority authority = CertificateAuthority.in(directory, "authority");
        Pair server = authority.server();
        databasePort = LoopbackPorts.free();
        postgres = startPostgres(databasePort, authority.certificate(), server);
        brokerPort = LoopbackPorts.free();
        kafka = startKafka(brokerPort, authority.certificate(), server);
        keep("ca-bundle", Map.of("root.pem", authority.certificate()));
        keep(
                "stranger",
                Map.of(
                        "root.pem",
                        CertificateAuthority.in(directory, "stranger").certificate()));
        keep("owner", authority.client(LocalPostgres.NAME, DATABASE_KEY));
        keep("sweeper", authority.client("oneshot_expiry", DATABASE_KEY));
        keep("kafka-client", authority.client("another-user", "RSA"));
        keep("database", Map.of("username", LocalPostgres.NAME, "password", PASSWORD));
        keep("database-expiry", Map.of("username", "oneshot_expiry", "password", PASSWORD));
        keep("keys", Map.of("address-keys", TemporaryBackends.ADDRESS_KEY));
        keep("signatures", Map.of("api-key-secrets", TemporaryBackends.API_KEY_SECRET));
        keep("operator", Map.of("operator-token", "of-at-least-16-characters"));
        manifests = install(databasePort, brokerPort, "ca-bundle");
    }

    @AfterAll
    static void stopServers() {
        postgres.close();
        kafka.close();
    }

    @Test
    void everyServiceShowsItsCertificateToTheServersItNeeds() throws Exception {
        // Given
        ChildProcess migration = container("migration").start("migration", Map.of(), directory);
        assertThat(migration.onExit().get(START.toSeconds(), TimeUnit.SECONDS))
                .as(() -> String.join("\n", migration.lastLines()))
                .isZero();

        // When
        Map<ChildProcess, Integer> managementPorts = new LinkedHashMap<>();
        try {
            for (String component : List.of("api", "ingest", "mailer", "expiry")) {
                int management = LoopbackPorts.free();
                managementPorts.put(
                        container(component).start(component, Container.onLoopback(management), directory), management);
            }
            managementPorts.forEach((service, port) -> service.awaitReady(() -> Health.isReady(port), _ -> {}));

            // Then
            Sql outside = new Sql(postgres.source("postgres"));
            await().atMost(START)
                    .untilAsserted(() -> assertThat(outside.texts("""
                    SELECT DISTINCT application_name || client_dn FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                    WHERE datname = 'oneshot'
                    """))
                            .containsExactlyInAnyOrder("oneshot-api/CN=oneshot", "oneshot-expiry/CN=oneshot_expiry"));
            awaitMember("oneshot-api");
        } finally {
            managementPorts.keySet().parallelStream().forEach(ChildProcess::stop);
        }
    }

    @Test
    void bundleOfAuthoritiesVerifiesEveryServer() throws Exception {
        // Given
        String bundle = String.valueOf(SECRETS.get("ca-bundle/root.pem")).replace("\n", "\\n");
        Container api = Container.of(
                Chart.install(
                        Chart.smallestWith("""
                        caBundle: "%s"
                        secrets:
                          addressKeys: {existingSecret: keys}
                          apiKeySecrets: {existingSecret: signatures}
                          operatorToken: {existingSecret: operator}
                        database:
                          host: 127.0.0.1
                          port: %d
                          credentials: {existingSecret: database}
                          tls: {clientSecret: owner, clientKeyAlgorithm: %s}
                        kafka:
                          bootstrapServers: 127.0.0.1:%d
                          securityProtocol: SSL
                          tls: {clientSecret: kafka-client}
                        """.formatted(bundle, databasePort, DATABASE_KEY, brokerPort), directory)),
                "api",
                SECRETS,
                directory.resolve("bundle"));
        int management = LoopbackPorts.free();

        // When
        ChildProcess service = api.start("api", Container.onLoopback(management), directory);

        // Then
        try {
            service.awaitReady(() -> Health.isReady(management), _ -> {});
            awaitMember("oneshot-api");
        } finally {
            service.stop();
        }
    }

    @Test
    void serverOfAnotherAuthorityGetsNoPassword() throws Exception {
        // Given
        Manifests deceived = install(databasePort, LoopbackPorts.free(), "stranger");
        String url = String.valueOf(Container.of(deceived, "migration", SECRETS, directory.resolve("deceived"))
                .environmentOutside()
                .get("ONESHOT_DATABASE_URL"));

        // Then
        assertThatThrownBy(() -> DriverManager.getConnection(url, LocalPostgres.NAME, PASSWORD))
                .isInstanceOf(SQLException.class)
                .hasStackTraceContaining("PKIX path");
    }

    private static LocalPostgres startPostgres(int port, String authority, Pair server) throws Exception {
        Path home = Files.createDirectories(directory.resolve("postgres"));
        LocalPostgres started = LocalPostgres.start(
                new LocalPostgres.Settings(home, TemporaryBackends.installations(), port, PASSWORD, false));
        started.ensureUser("oneshot_expiry", PASSWORD);
        started.stop();
        Path data = home.resolve("data");
        Files.writeString(data.resolve("ca.crt"), authority);
        Files.writeString(data.resolve("server.crt"), server.certificate());
        Files.writeString(data.resolve("server.key"), server.privateKey());
        Files.setPosixFilePermissions(data.resolve("server.key"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(data.resolve("postgresql.conf"), """
                ssl = on
                ssl_ca_file = 'ca.crt'
                """, StandardOpenOption.APPEND);
        // The services' database requires TLS, password and certificate; the other database is for this test.
        Files.writeString(data.resolve("pg_hba.conf"), """
                hostssl oneshot all 127.0.0.1/32 scram-sha-256 clientcert=verify-full
                host postgres all 127.0.0.1/32 scram-sha-256
                """);
        started.start();
        return started;
    }

    private static LocalKafka startKafka(int port, String authority, Pair server) {
        return LocalKafka.start(
                directory.resolve("kafka"),
                LoopbackPorts.free(),
                new LocalKafka.TlsListener(
                        port,
                        Map.of(
                                "ssl.client.auth",
                                "required",
                                "ssl.keystore.type",
                                "PEM",
                                "ssl.keystore.certificate.chain",
                                server.certificate(),
                                "ssl.keystore.key",
                                server.privateKey(),
                                "ssl.truststore.type",
                                "PEM",
                                "ssl.truststore.certificates",
                                authority)));
    }

    private static Manifests install(int databasePort, int brokerPort, String authority) {
        return Chart.install(Chart.smallestWith(
                """
                secrets:
                  addressKeys: {existingSecret: keys}
                  apiKeySecrets: {existingSecret: signatures}
                  operatorToken: {existingSecret: operator}
                database:
                  host: 127.0.0.1
                  port: %d
                  credentials: {existingSecret: database}
                  expiryCredentials: {existingSecret: database-expiry}
                  tls: {caSecret: %s, caKey: root.pem, clientSecret: owner, expiryClientSecret: sweeper, clientKeyAlgorithm: %s}
                kafka:
                  bootstrapServers: 127.0.0.1:%d
                  securityProtocol: SSL
                  tls: {caSecret: %s, caKey: root.pem, clientSecret: kafka-client}
                mailer: {enabled: true}
                relay: {host: 127.0.0.1, port: 9}
                migration: {enabled: true}
                ingest: {smtp: {containerPort: 2525}}
                """.formatted(databasePort, authority, DATABASE_KEY, brokerPort, authority), directory));
    }

    private static void keep(String secret, Map<String, String> content) {
        content.forEach((key, value) -> SECRETS.put(secret + "/" + key, value));
    }

    private static void keep(String secret, Pair pair) {
        keep(secret, Map.of("tls.crt", pair.certificate(), "tls.key", pair.privateKey()));
    }

    private static Container container(String component) throws IOException {
        return Container.of(manifests, component, SECRETS, directory);
    }

    private static void awaitMember(String group) {
        // There is no group before its first member.
        await().atMost(START)
                .ignoreExceptionsMatching(e -> e.getCause() instanceof GroupIdNotFoundException)
                .until(() -> members(group) > 0);
    }

    private static int members(String group) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                    .mapToInt(described -> described.members().size())
                    .sum();
        }
    }
}
