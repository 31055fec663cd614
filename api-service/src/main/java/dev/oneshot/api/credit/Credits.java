package dev.oneshot.api.credit;

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

    private final PaymentGateway payments;

    Credits(PaymentGateway payments) {
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
     * Gives credits in the operator's name, as a part of a transaction; empty if there is no such account.
     *
     * @param credits as {@link #checked} lets through
     * @param reference as {@link #reference} returns it
     */
    public Optional<CreditsAddedView> give(Connection connection, UUID accountId, int credits, String reference)
            throws SQLException {
        OptionalLong balance =
                CreditLedger.add(connection, accountId, credits, CreditLedger.Origin.OPERATOR, reference);
        return balance.isEmpty()
                ? Optional.empty()
                : Optional.of(new CreditsAddedView(credits, balance.getAsLong(), reference));
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

    /**
     * The operator's reference for credits.
     *
     * @param reference null for a generated one
     * @throws ApiException 400 if it is blank, longer than 255 characters or has a control character
     */
    public static String reference(@Nullable String reference) {
        if (reference == null) {
            return "operator-" + UUID.randomUUID();
        }
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
