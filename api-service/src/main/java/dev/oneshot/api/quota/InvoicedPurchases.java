package dev.oneshot.api.quota;

import io.quarkus.arc.DefaultBean;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** The default: every purchase is accepted, and written down to be invoiced. */
@DefaultBean
@ApplicationScoped
class InvoicedPurchases implements PaymentGateway, PanacheRepositoryBase<InvoiceItem, String> {

    @Override
    @Transactional(Transactional.TxType.MANDATORY)
    public void accept(Purchase purchase) {
        InvoiceItem item = new InvoiceItem();
        item.reference = purchase.reference();
        item.accountId = purchase.accountId();
        item.credits = purchase.credits();
        persist(item);
    }
}
