package dev.oneshot.api.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.account.Charges;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.sending.Sending;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.signing.SigningKey;
import io.quarkus.test.junit.QuarkusMock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ids that expire in the same second and were dealt the same random bits: the database has one of them only. */
@ServiceTest
class TakenIdTest {

    private static final String SEND =
            "{\"mode\":\"send\",\"send\":{\"to\":\"a@b.example\",\"subject\":\"s\",\"text_body\":\"t\"}}";

    private final AddressWriter writer;
    private final AddressDomains domains;
    private final AddressConfig config;
    private final Plans plans;
    private final Charges charges;
    private final Sending sending;
    private final TestAccount account = TestAccount.onPlan("free");

    TakenIdTest(
            AddressWriter writer,
            AddressDomains domains,
            AddressConfig config,
            Plans plans,
            Charges charges,
            Sending sending) {
        this.writer = writer;
        this.domains = domains;
        this.config = config;
        this.plans = plans;
        this.charges = charges;
        this.sending = sending;
    }

    @Test
    void takenIdIsReplacedByAnotherAndPaidForOnce() {
        deal(7, 7, 7, 8);
        String first = account.create("{}").then().statusCode(201).extract().path("id");

        String second = account.create("{}").then().statusCode(201).extract().path("id");

        assertThat(second).isNotEqualTo(first);
        account.request().get("/v1/account").then().body("used", equalTo(2));
    }

    @Test
    void takenIdOfAnAddressThatSendsIsReplacedTogetherWithItsMail() {
        deal(17, 17, 18);
        account.create(SEND).then().statusCode(201);

        account.create(SEND).then().statusCode(201).body("status", equalTo("sent"));

        account.request().get("/v1/account").then().body("used", equalTo(2));
    }

    @Test
    void thirdTakenIdIsAFailureThatCostsNothing() {
        deal(27, 27, 27, 27, 28);
        account.create("{}").then().statusCode(201);

        account.create("{}").then().statusCode(500).body("error.code", equalTo("INTERNAL_ERROR"));

        account.request().get("/v1/account").then().body("used", equalTo(1));
    }

    /** Ids that all expire in the same second, with these random bits one after the other. */
    private void deal(long... bits) {
        Iterator<Long> dealt = Arrays.stream(bits).iterator();
        List<SigningKey> keys = SigningKey.listOfBase64(config.addressKeys());
        InstantSource clock = InstantSource.fixed(Instant.now());
        AddressIdCodec ids = new AddressIdCodec(keys, dealt::next);
        QuarkusMock.installMockForInstance(new AddressWriter(ids, domains, plans, charges, sending, clock), writer);
    }
}
