package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A replica completes the deletion of expired content that another one began, and deleted addresses accept no mail. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class ExpiryIT extends StackTest {

    /** Forty thousand addresses that have just expired, with their mail. */
    private static final String INSERT = """
            WITH inserted AS (
                INSERT INTO address (id, account_id, mode, status, created_at, expires_at,
                    mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
                SELECT 'killed' || substr(md5(i::text), 1, 18), (SELECT id FROM account LIMIT 1), 'receive', 'received',
                    now() - interval '1 hour', now() - interval '1 microsecond' * i, '', '', now(), 0, 0
                FROM generate_series(1, 40000) AS i
                RETURNING id, expires_at)
            INSERT INTO mail (address_id, expires_at, piece, content) SELECT id, expires_at, 0, '' FROM inserted""";

    private static final String TO_SWEEP =
            "SELECT count(*) FROM address WHERE id LIKE 'killed%' AND status <> 'expired'";
    private static final String MAILS = "SELECT count(*) FROM mail WHERE address_id LIKE 'killed%'";
    private static final String HALF_DONE = """
            SELECT count(*) FROM address FULL JOIN mail ON mail.address_id = address.id
            WHERE coalesce(address.id, mail.address_id) LIKE 'killed%'
                AND coalesce(address.status = 'received', false) <> (mail.address_id IS NOT NULL)""";

    /** Addresses that a replica has swept since its start. */
    private static final Pattern SWEPT = Pattern.compile("oneshot_expiry_rows_total\\{sweep=\"expired-addresses\".*");

    @Test
    void theServiceWorksInItsOwnRole() {
        assertThat(
                        database()
                                .texts(
                                        "SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'oneshot-expiry'"))
                .containsExactly("oneshot_expiry");
    }

    @Test
    void whatAKilledReplicaLeftIsDoneByTheOtherAndNothingIsHalfDone() throws Exception {
        try (Replica killed = Replica.of(stack, Service.EXPIRY)) {
            // Early in an hour, some of them expired in the hour before.
            database().execute("SELECT create_mail_partitions(now() - interval '1 minute', now())");
            database().execute(INSERT);
            await().pollInterval(Duration.ofMillis(20))
                    .until(() -> killed.metrics().sum(SWEPT) > 0);

            killed.kill();

            assertThat(database().number(TO_SWEEP)).as("killed in the middle").isPositive();
            assertThat(database().number(HALF_DONE)).isZero();
            await().until(() -> database().number(TO_SWEEP) == 0);
            assertThat(database().number(MAILS)).isZero();
        }
    }

    @Test
    void whatIsDeletedTakesNoMoreMail() throws IOException {
        String one = account.createAddress();
        String labelled = account.createAddress("over");
        Account leaving = Account.create(stack);
        String ofLeaving = leaving.createAddress();
        String received = account.createAddress();
        assertThat(Account.deliver(stack, received, TestMail.of("The only one").octets()))
                .startsWith("250");
        account.awaitMail(received);

        account.delete(one).then().statusCode(204);
        account.deleteByLabel("over").then().statusCode(204);
        leaving.deleteAccount().then().statusCode(204);

        Account.awaitRefusal(stack, one, "550 5.1.1");
        Account.awaitRefusal(stack, labelled, "550 5.1.1");
        Account.awaitRefusal(stack, ofLeaving, "550 5.1.1");
        Account.awaitRefusal(stack, received, "550 5.2.1");
        account.delete(received).then().statusCode(204);
        Account.awaitRefusal(stack, received, "550 5.1.1");
    }
}
