package dev.oneshot.api.credit;

import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The default: every purchase is accepted, and written down to be invoiced. */
@DefaultBean
@ApplicationScoped
class InvoicedPurchases implements PaymentGateway {

    private static final String INSERT = "INSERT INTO invoice_item (reference, account_id, credits) VALUES (?, ?, ?)";

    @Override
    public void accept(Connection connection, Purchase purchase) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, purchase.reference());
            insert.setObject(2, purchase.accountId());
            insert.setInt(3, purchase.credits());
            insert.executeUpdate();
        }
    }
}
