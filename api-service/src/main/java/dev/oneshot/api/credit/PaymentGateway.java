package dev.oneshot.api.credit;

import java.sql.Connection;
import java.sql.SQLException;

/** Has purchases paid. */
interface PaymentGateway {

    /**
     * Takes a purchase to be paid, as a part of the transaction that credits it: either both are committed, or none. So
     * a gateway writes down in this transaction what it will do, and does it afterwards; it never calls a provider from
     * here, as a charge cannot be rolled back.
     *
     * @throws dev.oneshot.api.error.ApiException to refuse the purchase; then nothing is credited
     */
    void accept(Connection connection, Purchase purchase) throws SQLException;
}
