package dev.oneshot.api.address;

import static dev.oneshot.api.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestBean;
import dev.oneshot.api.account.Account;
import dev.oneshot.api.idempotency.Idempotency;
import dev.oneshot.api.quota.Quota;
import dev.oneshot.api.sending.Outbox;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.signing.SigningKey;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusMock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ids with the same expiry second and the same random bits: only one of them can be stored. */
@ServiceTest
class TakenIdTest {

    private final AddressIssuer issuer = TestBean.of(AddressIssuer.class);
    private final AddressStore addresses = TestBean.of(AddressStore.class);
    private final AddressConfig config = TestBean.of(AddressConfig.class);
    private final Idempotency idempotency = TestBean.of(Idempotency.class);
    private final Quota charges = TestBean.of(Quota.class);
    private final Outbox outbox = TestBean.of(Outbox.class);
    private final TestAccount account = TestAccount.onPlan("free");

    @Test
    void takenIdIsReplacedByAnotherAndPaidForOnce() {
        deal(7, 7, 7, 8);
        String first = account.created("{}");

        String second = account.created("{}");

        assertThat(second).isNotEqualTo(first);
        account.assertUsed(2);
    }

    @Test
    void takenIdOfAnAddressThatSendsIsReplacedTogetherWithItsMail() {
        deal(17, 17, 18);
        account.create(TestAccount.SEND).then().statusCode(201);

        account.create(TestAccount.SEND).then().statusCode(201).body("status", equalTo("sent"));

        account.assertUsed(2);
    }

    @Test
    void thirdTakenIdIsAFailureThatCostsNothing() {
        deal(27, 27, 27, 27, 28);
        account.create("{}").then().statusCode(201);

        assertError(account.create("{}"), 500, "INTERNAL_ERROR");

        account.assertUsed(1);
    }

    /** Issues ids with the same expiry second and these random bits. */
    private void deal(long... bits) {
        Iterator<Long> dealt = Arrays.stream(bits).iterator();
        List<SigningKey> keys = SigningKey.listOfBase64(config.addressKeys());
        InstantSource clock = InstantSource.fixed(Instant.now());
        AddressIdCodec ids = new AddressIdCodec(keys, dealt::next);
        QuarkusMock.installMockForInstance(
                new AddressIssuer(addresses, ids, charges, outbox, idempotency, clock) {
                    @Override
                    CreatedAddress writeWithMail(Account owner, NewAddress address) {
                        return QuarkusTransaction.requiringNew().call(() -> super.writeWithMail(owner, address));
                    }
                },
                issuer);
    }
}
