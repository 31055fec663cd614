package dev.oneshot.api.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.Together;
import dev.oneshot.api.replicas.Replica.Customer;
import dev.oneshot.local.backends.LocalPostgres;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three packaged services on one database and one broker. */
class ReplicasIT {

    private static final List<Replica> REPLICAS = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (String name : List.of("a", "b", "c")) {
            REPLICAS.add(Replica.start(name));
        }
        REPLICAS.forEach(Replica::awaitReady);
    }

    @AfterAll
    static void stop() {
        REPLICAS.forEach(Replica::kill);
    }

    @Test
    void quotaIsExactOverAllReplicas() throws SQLException {
        Customer customer = customer("scale");
        give(customer, 10);
        execute("UPDATE account SET used = 999980 WHERE id = '" + customer.id() + "'");
        AtomicInteger next = new AtomicInteger();

        List<Integer> statuses = Together.times(
                60,
                () -> replica(next.getAndIncrement())
                        .send("POST", "/v1/addresses", customer.key(), "{}")
                        .statusCode());

        assertThat(statuses).filteredOn(status -> status == 201).hasSize(30);
        assertThat(statuses).filteredOn(status -> status == 402).hasSize(30);
    }

    @Test
    void oneIdempotencyKeyAtAllReplicasHasOneEffect() {
        Customer customer = customer("scale");
        String name = UUID.randomUUID().toString();
        AtomicInteger next = new AtomicInteger();

        List<HttpResponse<String>> answers = Together.times(
                12,
                () -> replica(next.getAndIncrement())
                        .send(
                                "POST",
                                "/v1/account/credits",
                                customer.key(),
                                "{\"credits\":5}",
                                "Idempotency-Key",
                                name));

        Set<String> effects = answers.stream()
                .filter(answer -> answer.statusCode() == 201)
                .map(HttpResponse::body)
                .collect(Collectors.toSet());
        assertThat(effects).hasSize(1);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.statusCode()).isIn(201, 409));
        assertThat(credits(customer)).isEqualTo(5);
    }

    @Test
    void replacedKeyIsRefusedAtOnceHereAndWithinASecondElsewhere() {
        Customer customer = customer("scale");
        REPLICAS.forEach(replica -> assertThat(status(replica, customer)).isEqualTo(200));

        HttpResponse<String> replaced = replica(0).send("POST", "/v1/account/api-key", customer.key(), "");
        long replacedAt = System.nanoTime();

        assertThat(replaced.statusCode()).isEqualTo(201);
        assertThat(status(replica(0), customer)).isEqualTo(401);
        for (Replica other : List.of(replica(1), replica(2))) {
            boolean isLate;
            int status;
            do {
                isLate = System.nanoTime() - replacedAt > Duration.ofSeconds(1).toNanos();
                status = status(other, customer);
            } while (!isLate && status == 200);
            // However long the response took, the request was made within the second, or it is rejected.
            assertThat(status).isEqualTo(401);
        }

        Customer renewed =
                new Customer(customer.id(), JsonPath.from(replaced.body()).getString("api_key"));
        REPLICAS.forEach(replica -> assertThat(status(replica, renewed)).isEqualTo(200));
    }

    @Test
    void misspeltSettingStopsTheStartAndIsNamed() throws IOException {
        Replica misspelt = Replica.start("misspelt", Map.of("ONESHOT_PLANS_FREE_BURTS", "7"));

        assertThat(misspelt.awaitEnd()).isNotZero();
        assertThat(misspelt.log()).contains("ONESHOT_PLANS_FREE_BURTS is no setting of this service");
    }

    private static Replica replica(int number) {
        return REPLICAS.get(number % REPLICAS.size());
    }

    private static Customer customer(String plan) {
        return replica(0).customer(plan);
    }

    private static void give(Customer customer, int credits) {
        HttpResponse<String> given =
                replica(1).operate("POST", "/accounts/" + customer.id() + "/credits", "{\"credits\":" + credits + "}");
        assertThat(given.statusCode()).isEqualTo(201);
    }

    private static int credits(Customer customer) {
        return JsonPath.from(replica(1)
                        .send("GET", "/v1/account", customer.key(), "")
                        .body())
                .getInt("credits");
    }

    private static int status(Replica replica, Customer customer) {
        return replica.send("GET", "/v1/account", customer.key(), "").statusCode();
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect() throws SQLException {
        LocalPostgres postgres = Replica.Shared.POSTGRES;
        return DriverManager.getConnection(postgres.jdbcUrl(), postgres.username(), postgres.password());
    }
}
