package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.Together;
import io.restassured.response.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three api-services on one database and one broker. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class ReplicasIT extends StackTest {

    private static Replica second;
    private static Replica third;

    @BeforeAll
    static void start(LocalStack stack) throws IOException {
        second = Replica.of(stack, Service.API);
        third = Replica.of(stack, Service.API);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        second.kill();
        third.kill();
    }

    @Test
    void quotaIsExactOverAllReplicas() throws Exception {
        account.operator()
                .request()
                .body(Map.of("credits", 10))
                .post("/operator/accounts/" + account.id() + "/credits")
                .then()
                .statusCode(201);
        use(account, 999_980);

        // A client tries again after a 503, which has no effect.
        List<Integer> statuses = Together.each(
                atAll(account, 20),
                replica -> await().until(() -> replica.post("{}").statusCode(), status -> status != 503));

        assertThat(statuses).filteredOn(status -> status == 201).hasSize(30);
        assertThat(statuses).filteredOn(status -> status == 402).hasSize(30);
    }

    @Test
    void oneIdempotencyKeyAtAllReplicasHasOneEffect() {
        String key = UUID.randomUUID().toString();

        List<Response> responses = Together.each(
                atAll(account, 4),
                replica -> replica.request()
                        .header("Idempotency-Key", key)
                        .contentType("application/json")
                        .body("{\"credits\":5}")
                        .post("/account/credits"));

        assertThat(responses).extracting(Response::statusCode).isSubsetOf(201, 409);
        assertThat(responses.stream()
                        .filter(response -> response.statusCode() == 201)
                        .map(Response::asString)
                        .distinct())
                .hasSize(1);
        assertThat(account.read().<Integer>path("credits")).isEqualTo(5);
    }

    @Test
    void replacedKeyIsRefusedAtOnceHereAndWithinASecondElsewhere() {
        atAll(account).forEach(replica -> replica.read().then().statusCode(200));

        Response replaced = account.request().post("/account/api-key");
        long replacedAt = System.nanoTime();

        replaced.then().statusCode(201);
        account.read().then().statusCode(401);
        for (Account other : List.of(account.at(second), account.at(third))) {
            boolean isLate;
            int status;
            do {
                isLate = System.nanoTime() - replacedAt > Duration.ofSeconds(1).toNanos();
                status = other.read().statusCode();
            } while (!isLate && status == 200);
            // However long the response took, the request was made within the second, or it is rejected.
            assertThat(status).isEqualTo(401);
        }
        atAll(account.withKey(replaced.path("api_key")))
                .forEach(replica -> replica.read().then().statusCode(200));
    }

    @ParameterizedTest
    @CsvSource({"API, ONESHOT_PLANS_FREE_BURTS", "INGEST, ONESHOT_SMTP_PROT"})
    void misspeltSettingStopsTheStartAndIsNamed(Service service, String variable) {
        assertThatThrownBy(() -> Replica.of(stack, service, variable + "=7"))
                .hasMessageContaining(variable + " is no setting of this service");
    }

    private static List<Account> atAll(Account account) {
        return atAll(account, 1);
    }

    private static List<Account> atAll(Account account, int times) {
        return Stream.generate(() -> Stream.of(account, account.at(second), account.at(third)))
                .limit(times)
                .flatMap(Function.identity())
                .toList();
    }
}
