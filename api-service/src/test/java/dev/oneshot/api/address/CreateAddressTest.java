package dev.oneshot.api.address;

import static dev.oneshot.api.Errors.assertError;
import static dev.oneshot.api.Errors.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.account.Plan;
import dev.oneshot.contracts.address.SizeClass;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class CreateAddressTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void createdAddressIsWaitingAndCarriesWhatTheContractSays() {
        Instant before = Instant.now();

        var created = account.create("{\"ttl_seconds\":600,\"label\":\"signup\"}");

        created.then()
                .statusCode(201)
                .contentType("application/json")
                .body("id", matchesPattern("[a-z2-7]{24}"))
                .body("address", equalTo(created.path("id") + "@in.oneshot.localhost"))
                .body("mode", equalTo("receive"))
                .body("status", equalTo("waiting"))
                .body("label", equalTo("signup"))
                .body("expires_at", matchesPattern("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ"))
                .body("$", not(hasKey("email")))
                .body("$", not(hasKey("send_to")));
        Instant expiresAt = Instant.parse(created.path("expires_at"));
        assertThat(expiresAt).isBetween(before.plusSeconds(600), Instant.now().plusSeconds(601));
    }

    @Test
    void emptyBodyIsAnEmptyObject() {
        account.create(null).then().statusCode(201).body("label", nullValue());
        account.create("").then().statusCode(201);
        account.create("{}").then().statusCode(201);
    }

    @Test
    void nullMeansAbsentAndUnknownMembersAreIgnored() {
        var created = account.create(
                "{\"ttl_seconds\":null,\"label\":null,\"mode\":null,\"send\":null,\"colour\":{\"a\":[1,\"\\ud83d\\ude00\"]},"
                        + "\"size\":[],\"shape\":\"round\",\"\\ud83d\\ude00\":{\"\\ud83d\\ude00\":1}}");

        created.then().statusCode(201).body("mode", equalTo("receive"));
        assertThat(Duration.between(Instant.now(), Instant.parse(created.path("expires_at"))))
                .isBetween(Duration.ofSeconds(3590), Duration.ofSeconds(3601));
    }

    @ParameterizedTest
    @ValueSource(longs = {60, 86_400})
    void lifetimesAtTheBoundsAreTaken(long ttlSeconds) {
        account.create("{\"ttl_seconds\":" + ttlSeconds + "}").then().statusCode(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"59", "86401", "0", "-1", "99999999999", "9223372036854775807"})
    void lifetimesBeyondTheBoundsAreRefused(String ttlSeconds) {
        assertInvalid(
                account.create("{\"ttl_seconds\":" + ttlSeconds + "}"), "ttl_seconds must be between 60 and 86400");
    }

    @Test
    void lifetimeAboveThePlansIsUnprocessableAndCostsNothing() {
        TestAccount free = TestAccount.onPlan("free");

        free.create("{\"ttl_seconds\":3600}").then().statusCode(201);
        assertError(
                free.create("{\"ttl_seconds\":3601}"),
                422,
                "VALIDATION_ERROR",
                "ttl_seconds must be at most 3600 on the plan free");
        free.create("{\"ttl_seconds\":59}").then().statusCode(400);
        free.assertUsed(1);
    }

    @Test
    void defaultLifetimeIsCutToThePlansMaximum() {
        Plan brief = new Plan("brief", 1, 600, SizeClass.ofMessageBytesMax(1 << 21), 1, 1);
        NewAddress unasked = new NewAddress(null, null, null);
        NewAddress asked = new NewAddress(3_600L, null, null);

        assertThat(unasked.ttlWithin(brief)).isEqualTo(Duration.ofMinutes(10));
        assertThat(unasked.ttlWithin(new Plan("day", 1, 86_400, brief.sizeClass(), 1, 1)))
                .isEqualTo(Duration.ofHours(1));
        assertThatThrownBy(() -> asked.ttlWithin(brief))
                .hasMessage("ttl_seconds must be at most 600 on the plan brief");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/address/refused-bodies.txt", delimiter = '|', quoteCharacter = '`')
    void whatIsNotTheAskedForJsonIsRefused(String body, String message) {
        assertInvalid(account.create(body), message);
    }

    @Test
    void nestingIsBounded() {
        account.create("{\"x\":" + "[".repeat(49) + "]".repeat(49) + "}").then().statusCode(201);
        assertInvalid(
                account.create("{\"x\":" + "[".repeat(50) + "]".repeat(50) + "}"),
                "the body must not be nested deeper than 50");
    }

    @Test
    void numberOfTokensIsBounded() {
        // The object, its name and the array are the other five tokens.
        account.create("{\"x\":[" + "1,".repeat(19_994) + "1]}").then().statusCode(201);
        account.create("{\"x\":[" + "1,".repeat(19_995) + "1]}").then().statusCode(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "identity, gzip"})
    void codedBodyIsRefusedByName(String coding) {
        assertError(coded(coding), 415, "UNSUPPORTED_MEDIA_TYPE", "Content-Encoding must not be given");
    }

    @Test
    void bodyThatIsSaidToBeAsItIsIsRead() {
        coded("Identity").then().statusCode(201);
    }

    private Response coded(String coding) {
        RequestSpecification request = account.request().header("Content-Encoding", coding);
        return request.contentType(ContentType.JSON).body("{}").post("/v1/addresses");
    }
}
