package dev.oneshot.api.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestBean;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.address.SizeClass;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;

/** The books are right after any history of purchases, grants and charges, in any billing cycles. */
@ServiceTest
class BalancePropertyTest {

    private static final int TRIES = 150;

    private final Database database = TestBean.of(Database.class);
    private final Credits credits = TestBean.of(Credits.class);

    /** One step of a history. */
    sealed interface Step {
        record Buy(int credits) implements Step {}

        record Give(int credits) implements Step {}

        record Spend(int cycle) implements Step {}
    }

    /** jqwik's engine has no beans, so this test draws the samples. */
    @Test
    void balanceIsWhatTheLedgerSaysLessWhatWasSpent() {
        JqwikSession.run(() -> Combinators.combine(histories(), allocations())
                .as(Tuple::of)
                .sampleStream()
                .limit(TRIES)
                .forEach(sample -> assertThatCode(() -> check(sample.get1(), sample.get2()))
                        .as("history %s", sample)
                        .doesNotThrowAnyException()));
    }

    private void check(List<Step> history, int allocation) {
        UUID account = UUID.fromString(TestAccount.onPlan("free").id());
        Expected expected = new Expected();

        for (Step step : history) {
            switch (step) {
                case Step.Buy buy -> {
                    credits.sell(account, buy.credits());
                    expected.credits += buy.credits();
                }
                case Step.Give give -> {
                    assertThat(credits.give(account, give.credits(), "goodwill"))
                            .isPresent();
                    expected.credits += give.credits();
                }
                case Step.Spend spend ->
                    assertThat(charge(account, spend.cycle(), allocation))
                            .isEqualTo(expected.spend(spend.cycle(), allocation));
            }
            assertThat(number("SELECT credits_bought - credits_spent FROM account WHERE id = ?", account))
                    .isEqualTo(expected.credits);
            assertThat(number(
                            "SELECT (SELECT coalesce(sum(credits), 0) FROM credit_entry WHERE account_id = a.id)"
                                    + " - credits_spent FROM account a WHERE id = ?",
                            account))
                    .isEqualTo(expected.credits);
        }
        assertThat(number("SELECT coalesce(sum(credits), 0) FROM invoice_item WHERE account_id = ?", account))
                .isEqualTo(history.stream()
                        .mapToLong(step -> step instanceof Step.Buy buy ? buy.credits() : 0)
                        .sum());
    }

    /** The rule: first the allocation of the latest cycle seen, then credits, then nothing. */
    private static final class Expected {
        private long credits;
        private int cycle;
        private int used;

        boolean spend(int present, int allocation) {
            if (present > cycle && (allocation > 0 || credits > 0)) {
                cycle = present;
                used = 0;
            }
            if (used < allocation) {
                used++;
                return true;
            }
            if (credits > 0) {
                credits--;
                return true;
            }
            return false;
        }
    }

    private boolean charge(UUID account, int cycle, int allocation) {
        return database.row(
                        "WITH " + QuotaCharge.CHARGED + "SELECT id FROM charged",
                        row -> true,
                        new QuotaCharge(account, cycle, plan(allocation))
                                .parameters()
                                .toArray())
                .isPresent();
    }

    private long number(String sql, UUID account) {
        return database.row(sql, row -> row.getLong(1), account).orElseThrow();
    }

    private static Arbitrary<List<Step>> histories() {
        Arbitrary<Step> buys = Arbitraries.integers().between(1, 4).map(Step.Buy::new);
        Arbitrary<Step> gifts = Arbitraries.integers().between(1, 4).map(Step.Give::new);
        Arbitrary<Step> charges = Arbitraries.integers().between(0, 3).map(Step.Spend::new);
        return Arbitraries.<Step>frequencyOf(Tuple.of(1, buys), Tuple.of(1, gifts), Tuple.of(5, charges))
                .list()
                .ofMaxSize(25);
    }

    private static Arbitrary<Integer> allocations() {
        return Arbitraries.integers().between(0, 3);
    }

    private static Plan plan(long allocation) {
        return new Plan("test", allocation, 3600, SizeClass.ofMessageBytesMax(1 << 21), 10, 20);
    }
}
