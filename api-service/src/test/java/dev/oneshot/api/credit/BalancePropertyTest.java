package dev.oneshot.api.credit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.account.Charge;
import dev.oneshot.api.database.FreshDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Any history of purchases, gifts and charges, in any billing cycles: the books are always right. */
class BalancePropertyTest {

    private static final FreshDatabase DATABASE = FreshDatabase.create();

    /** One step of a history. */
    sealed interface Step {
        record Buy(int credits) implements Step {}

        record Give(int credits) implements Step {}

        record Spend(int cycle) implements Step {}
    }

    @Property(tries = 150)
    void balanceIsWhatTheLedgerSaysLessWhatWasSpent(
            @ForAll("histories") List<Step> history, @ForAll("allocations") int allocation) {
        UUID account = account();
        Credits credits = new Credits(new InvoicedPurchases());
        Expected expected = new Expected();

        for (Step step : history) {
            switch (step) {
                case Step.Buy buy -> {
                    DATABASE.database().transaction(connection -> credits.sell(connection, account, buy.credits()));
                    expected.credits += buy.credits();
                }
                case Step.Give give -> {
                    Optional<CreditsAddedView> given = DATABASE.database()
                            .transaction(connection -> credits.give(connection, account, give.credits(), "goodwill"));
                    assertThat(given).isPresent();
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

    /** The rule in plain words: first the allocation of the latest cycle seen, then credits, else nothing. */
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

    private static boolean charge(UUID account, int cycle, int allocation) {
        return DATABASE.database().statement(connection -> charge(connection, new Charge(account, cycle, allocation)));
    }

    private static boolean charge(Connection connection, Charge charge) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("WITH " + Charge.CHARGED + "SELECT id FROM charged")) {
            charge.bind(select, 1);
            try (ResultSet result = select.executeQuery()) {
                return result.next();
            }
        }
    }

    private static UUID account() {
        UUID id = UUID.randomUUID();
        DATABASE.execute(
                "INSERT INTO account (id, name, plan, api_key_sha256, created_at) VALUES (?, 'test', 'free', ?, now())",
                id,
                id.toString().getBytes(StandardCharsets.US_ASCII));
        return id;
    }

    private static long number(String sql, UUID account) {
        return DATABASE.number(sql, account);
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Step> buys = Arbitraries.integers().between(1, 4).map(Step.Buy::new);
        Arbitrary<Step> gifts = Arbitraries.integers().between(1, 4).map(Step.Give::new);
        Arbitrary<Step> charges = Arbitraries.integers().between(0, 3).map(Step.Spend::new);
        return Arbitraries.<Step>frequencyOf(Tuple.of(1, buys), Tuple.of(1, gifts), Tuple.of(5, charges))
                .list()
                .ofMaxSize(25);
    }

    @Provide
    Arbitrary<Integer> allocations() {
        return Arbitraries.integers().between(0, 3);
    }
}
