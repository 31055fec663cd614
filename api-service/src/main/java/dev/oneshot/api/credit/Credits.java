package dev.oneshot.api.credit;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiException;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Gives credits to accounts. */
@ApplicationScoped
public class Credits {

    /** How many credits are given at once. */
    public static final int MAX = 1_000_000;

    private static final int REFERENCE_LENGTH_MAX = 255;

    private final Database database;
    private final PaymentGateway payments;

    Credits(Database database, PaymentGateway payments) {
        this.database = database;
        this.payments = payments;
    }

    /** Sells credits, as a part of somebody's transaction; empty if there is no such account. */
    Optional<CreditsAddedView> sell(Connection connection, UUID accountId, int credits) throws SQLException {
        Purchase purchase = new Purchase("purchase-" + UUID.randomUUID(), accountId, credits);
        OptionalLong balance =
                CreditLedger.add(connection, accountId, credits, CreditLedger.Origin.PURCHASE, purchase.reference());
        if (balance.isEmpty()) {
            return Optional.empty();
        }
        payments.accept(connection, purchase);
        return Optional.of(new CreditsAddedView(credits, balance.getAsLong(), purchase.reference()));
    }

    /**
     * Gives credits in the operator's name; empty if there is no such account.
     *
     * @param credits as {@link #checked} lets through
     * @param reference what the operator calls it; null to have it named
     * @throws ApiException 400 if the reference is none
     */
    public Optional<CreditsAddedView> give(UUID accountId, int credits, @Nullable String reference) {
        String name = reference == null ? "operator-" + UUID.randomUUID() : checkedReference(reference);
        OptionalLong balance = database.statement(
                connection -> CreditLedger.add(connection, accountId, credits, CreditLedger.Origin.OPERATOR, name));
        return balance.isEmpty()
                ? Optional.empty()
                : Optional.of(new CreditsAddedView(credits, balance.getAsLong(), name));
    }

    /**
     * A number of credits, as it was asked for.
     *
     * @throws ApiException 400 if it is missing or out of range
     */
    public static int checked(@Nullable Long credits) {
        if (credits == null || credits < 1 || credits > MAX) {
            throw ApiException.invalid("credits must be between 1 and " + MAX);
        }
        return credits.intValue();
    }

    private static String checkedReference(String reference) {
        boolean sane = !reference.isBlank()
                && reference.codePointCount(0, reference.length()) <= REFERENCE_LENGTH_MAX
                && reference.codePoints().noneMatch(Credits::isUnfit);
        if (!sane) {
            throw ApiException.invalid("reference must have between 1 and " + REFERENCE_LENGTH_MAX
                    + " characters, not all blank, none of them a control character");
        }
        return reference;
    }

    private static boolean isUnfit(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.CONTROL || type == Character.SURROGATE;
    }
}
