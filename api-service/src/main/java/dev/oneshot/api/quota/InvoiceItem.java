package dev.oneshot.api.quota;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** A purchase to be invoiced. */
@Entity
@SuppressWarnings("NullAway.Init")
class InvoiceItem {

    @Id
    String reference;

    UUID accountId;
    int credits;
}
