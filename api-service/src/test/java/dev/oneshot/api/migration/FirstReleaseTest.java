package dev.oneshot.api.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.local.backends.quarkus.PostgresResource;
import dev.oneshot.testing.Sql;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The service on the database that version 1.0.0 left. Golden files of contracts are its records in Kafka. */
@ServiceTest
@TestProfile(FirstReleaseTest.OnItsDatabase.class)
class FirstReleaseTest {

    private static final String RECEIVED = "first2release2received2a";
    private static final String WAITING = "first2release2waiting2ab";
    private static final String SENDING = "first2release2sending2ab";

    private final TestAccount account = new TestAccount(
            "00000000-0000-4000-8000-000000000100", "oneshot_FirstReleaseFirstReleaseFirstRelease0100Ra8ybo44rF03Z5bc");

    @Inject
    Flyway flyway;

    /** Starts the service on that database. */
    public static final class OnItsDatabase implements QuarkusTestProfile {

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(FirstReleaseDatabase.class));
        }
    }

    /** A database with the tables and the rows of version 1.0.0. */
    public static final class FirstReleaseDatabase implements QuarkusTestResourceLifecycleManager {

        private static final String NAME = "first_release";
        private static final String LAST_MIGRATION = "4";

        /** After the server. */
        @Override
        public int order() {
            return 1;
        }

        @Override
        public Map<String, String> start() {
            Map<String, String> server = new PostgresResource().start();
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(server.get("oneshot.database.url"));
            source.setUser(server.get("oneshot.database.username"));
            source.setPassword(server.get("oneshot.database.password"));
            new Sql(source).execute("CREATE DATABASE " + NAME);
            source.setDatabaseName(NAME);
            Flyway.configure()
                    .dataSource(source)
                    .locations("db/migration")
                    .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
                    .target(LAST_MIGRATION)
                    .load()
                    .migrate();
            new Sql(source).execute(rows());
            return Map.of("oneshot.database.url", Objects.requireNonNull(source.getUrl()));
        }

        @Override
        public void stop() {
            // The server ends with the JVM.
        }

        private static String rows() {
            try {
                return Files.readString(Path.of("src/test/resources/state/1.0.0.sql"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void itsMigrationsAreAsTheyWereReleasedAndNoneIsMissing() {
        flyway.validate();

        assertThat(flyway.info().pending()).isEmpty();
    }

    @Test
    void itsAccountAddressesAndMailAreRead() {
        account.read().then().statusCode(200).body("plan", equalTo("scale"));
        account.request()
                .get("/v1/addresses")
                .then()
                .statusCode(200)
                .body("items.id", containsInAnyOrder(RECEIVED, WAITING, SENDING));
        account.get(RECEIVED)
                .then()
                .statusCode(200)
                .body("status", equalTo("received"))
                .body("label", equalTo(null));
        account.request()
                .get("/v1/addresses/" + RECEIVED + "/email")
                .then()
                .statusCode(200)
                .body("from", equalTo("ada@example.org"))
                .body("subject", equalTo("Grüße"))
                .body("attachments.filename", contains("日本.pdf"));
    }

    @Test
    void responseThatItKeptIsRepeated() {
        account.createOnce("first-release", "{\"mode\":\"receive\",\"label\":\"first\"}")
                .then()
                .statusCode(201)
                .body("id", equalTo(WAITING))
                .body("label", equalTo("first"));
    }

    @Test
    void requestToSendThatItQueuedIsRead() throws Exception {
        String value = TestDatabase.sql()
                .texts("SELECT encode(value, 'hex') FROM send_outbox WHERE address_id = '" + SENDING + "'")
                .getFirst();

        assertThat(EventCodec.decodeDueMail(HexFormat.of().parseHex(value)))
                .isInstanceOfSatisfying(
                        MailRequested.class,
                        mail -> assertThat(mail.mail().subject()).isEqualTo("Grüße 📬"));
    }

    @Test
    void itsSettlementsAreListed() {
        TestAccount.operator().get("/operator/sends").then().statusCode(200).body("items.reply_code", contains(550));
    }
}
