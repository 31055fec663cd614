package dev.oneshot.api.letter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestBean;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.background.BackgroundWork;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.sending.Outbox;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.LetterRequested;
import io.quarkus.narayana.jta.QuarkusTransaction;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * From an event to the outbox, for each kind of event. The replica under test has no sender, so the test moves the
 * rows back.
 */
@ServiceTest
class LetterQueueTest {

    private static final String CONTACT = "ops@example.com";
    private static final Optional<String> SENDER = Optional.of("service@example.org");

    private final Database database = TestBean.of(Database.class);
    private final Outbox outbox = TestBean.of(Outbox.class);
    private final TestAccount account = TestAccount.onPlan("free");
    private final Set<String> known = new HashSet<>();

    LetterQueueTest() {
        TestDatabase.update("UPDATE account SET contact_email = '" + CONTACT + "' WHERE id = ?::uuid", account.id());
    }

    @Test
    void usedAllocationHasALetterAt80And100PercentOnceACycle() {
        account.use(78);
        account.created("{}");
        assertThat(kinds()).isEmpty();

        account.created("{}");
        account.created("{}");
        assertThat(kinds()).containsExactly("ALLOCATION_NEARLY_USED 80/100");

        account.use(99);
        account.created("{}");
        buy(2);
        account.created("{}");
        assertThat(kinds())
                .containsExactly("ALLOCATION_NEARLY_USED 80/100", "ALLOCATION_USED 100/100", "CREDITS_ADDED 2/2");
    }

    @Test
    void whatIsRefusedIsNotWrittenOf() {
        account.use(100);

        account.create("{}").then().statusCode(402);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void eachKindHasALetterAtMostOnceAnHour() {
        buy(1);
        TestAccount renewed = new TestAccount(account.id(), replaceKey(account));
        assertThat(sent()).containsExactlyInAnyOrder("CREDITS_ADDED 1/1", "KEY_REPLACED 0/0");

        buy(renewed, 2);
        buy(renewed, 3);
        replaceKey(new TestAccount(account.id(), replaceKey(renewed)));
        assertThat(sent()).isEmpty();
        TestDatabase.update(
                "UPDATE letter SET queued_at = queued_at - interval '59 minutes' WHERE account_id = ?::uuid",
                account.id());
        assertThat(sent()).isEmpty();

        TestDatabase.update(
                "UPDATE letter SET queued_at = queued_at - interval '1 minute' WHERE account_id = ?::uuid",
                account.id());
        assertThat(sent()).containsExactlyInAnyOrder("CREDITS_ADDED 5/6", "KEY_REPLACED 0/0");
        assertThat(kinds()).hasSize(4);
    }

    @Test
    void aReceiptNamesThePurchasesSinceTheLastUpToABound() {
        buy(1);
        assertThat(sent()).hasSize(1);

        for (int i = 0; i < 40; i++) {
            TestAccount.operator("{\"credits\":1,\"reference\":\"grant-" + i + " " + "x".repeat(30) + "\"}")
                    .post("/operator/accounts/" + account.id() + "/credits")
                    .then()
                    .statusCode(201);
        }

        String reference = TestDatabase.sql()
                .texts("SELECT reference FROM letter WHERE queued_at IS NULL AND account_id = ?::uuid", account.id())
                .getFirst();
        assertThat(reference)
                .startsWith("grant-0 x")
                .contains(", grant-1 x")
                .endsWith(", …")
                .hasSizeLessThan(1_300);
    }

    @Test
    void withoutAContactNothingIsWritten() {
        TestDatabase.update("UPDATE account SET contact_email = NULL WHERE id = ?::uuid", account.id());
        account.use(99);

        account.created("{}");
        buy(1);
        replaceKey(account);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void withoutASenderItIsMarkedAndNotSent() {
        buy(5);

        assertThat(moved(Optional.empty())).isEmpty();

        assertThat(TestDatabase.count(
                        "SELECT count(*) FROM letter WHERE queued_at IS NOT NULL AND account_id = ?::uuid",
                        account.id()))
                .isEqualTo(1);
    }

    @Test
    void itLeavesTheOutboxWithItsAccount() {
        buy(5);
        String id = moved(SENDER).getFirst().letterId();

        account.remove().then().statusCode(204);

        assertThat(TestDatabase.outbox(id)).isZero();
        assertThat(account.rows("letter")).isZero();
    }

    @Test
    void itLeavesTheOutboxIfItsAccountIsRemovedWhileItIsMoved() {
        buy(5);
        AtomicReference<CompletableFuture<Integer>> removed = new AtomicReference<>();
        String id = QuarkusTransaction.requiringNew().call(() -> {
            String moved = take(SENDER).getFirst().letterId();
            removed.set(CompletableFuture.supplyAsync(() -> account.remove().statusCode(), Thread::startVirtualThread));
            String holder = database.row("SELECT pg_backend_pid()::text", row -> row.getString(1))
                    .orElseThrow();
            await().until(() -> TestDatabase.count(
                            "SELECT count(*) FROM pg_stat_activity WHERE ?::int = ANY (pg_blocking_pids(pid))", holder)
                    > 0);
            return moved;
        });

        assertThat(removed.get().join()).isEqualTo(204);
        assertThat(TestDatabase.outbox(id)).isZero();
    }

    @Test
    void noLetterOfAnAccountThatIsBeingRemovedIsMoved() {
        buy(5);
        TestDatabase.update("UPDATE account SET deleted_at = now() WHERE id = ?::uuid", account.id());

        assertThat(moved(SENDER)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "service",
                "Service <service@example.org>",
                "s@example.org\r\nBcc: x@example.org",
                "jörg@example.org",
                "\"a b\"@example.org"
            })
    void aSenderThatIsNoPlainMailboxStopsTheStart(String sender) {
        assertThatThrownBy(() -> letters(Optional.of(sender))).hasMessageStartingWith("oneshot.letters.sender must be");
    }

    private LetterQueue letters(Optional<String> sender) {
        return new LetterQueue(() -> sender, database, outbox, new BackgroundWork(() -> Duration.ZERO));
    }

    /** Moves this account's letters, whatever the service has done with them. */
    private List<LetterRequested> moved(Optional<String> sender) {
        return QuarkusTransaction.requiringNew().call(() -> take(sender));
    }

    private List<LetterRequested> take(Optional<String> sender) {
        UUID accountId = UUID.fromString(account.id());
        database.update("UPDATE letter SET queued_at = NULL WHERE account_id = ?", accountId);
        letters(sender).moveBatch();
        return database.rows(
                "SELECT value FROM send_outbox JOIN letter ON letter.id = address_id WHERE account_id = ?",
                row -> decoded(row.getBytes(1)),
                accountId);
    }

    private static LetterRequested decoded(byte[] value) {
        try {
            return (LetterRequested) EventCodec.decodeDueMail(value);
        } catch (EventFormatException e) {
            throw new AssertionError(e);
        }
    }

    /** Moves the letters that are due, and says which have been moved since the last call, also by the service. */
    private List<String> sent() {
        QuarkusTransaction.requiringNew().run(() -> letters(SENDER).moveBatch());
        List<String> moved = TestDatabase.sql()
                .texts(
                        "SELECT kind || ' ' || amount || '/' || total FROM letter"
                                + " WHERE queued_at IS NOT NULL AND account_id = ?::uuid AND id <> ALL (?::text[])",
                        account.id(),
                        known());
        known.addAll(TestDatabase.sql()
                .texts("SELECT id FROM letter WHERE queued_at IS NOT NULL AND account_id = ?::uuid", account.id()));
        return moved;
    }

    private String known() {
        return "{" + String.join(",", known) + "}";
    }

    private void buy(int credits) {
        buy(account, credits);
    }

    private static void buy(TestAccount account, int credits) {
        account.post("/account/credits", "{\"credits\":" + credits + "}").then().statusCode(201);
    }

    private static String replaceKey(TestAccount account) {
        return account.request().post("/v1/account/api-key").path("api_key");
    }

    private List<String> kinds() {
        return TestDatabase.sql()
                .texts(
                        "SELECT kind || ' ' || amount || '/' || total FROM letter WHERE account_id = ?::uuid ORDER BY created_at",
                        account.id());
    }
}
