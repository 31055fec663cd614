package dev.oneshot.api.quota;

import io.quarkus.arc.DefaultBean;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.transaction.Transactional;
import java.util.UUID;

/** The default gateway: accepts every purchase, and records it to be invoiced. */
@DefaultBean
@ApplicationScoped
class InvoicedPurchases implements PaymentGateway, PanacheRepositoryBase<InvoicedPurchases.InvoiceItem, String> {

    @Entity(name = "InvoiceItem")
    @SuppressWarnings("NullAway.Init")
    static class InvoiceItem {

        @Id
        String reference;

        UUID accountId;
        int credits;
    }

    @Override
    @Transactional(Transactional.TxType.MANDATORY)
    public void accept(String reference, UUID accountId, int credits) {
        InvoiceItem item = new InvoiceItem();
        item.reference = reference;
        item.accountId = accountId;
        item.credits = credits;
        persist(item);
    }
}
