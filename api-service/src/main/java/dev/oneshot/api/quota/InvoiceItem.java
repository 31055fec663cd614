package dev.oneshot.api.quota;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A purchase to be invoiced. */
@Entity
@SuppressWarnings("NullAway.Init")
class InvoiceItem {

    @Id
    String reference;

    UUID accountId;
    int credits;

    @Column(insertable = false, updatable = false)
    Instant createdAt;

    @Nullable
    Instant invoicedAt;
}
