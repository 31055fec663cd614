package dev.oneshot.api.quota;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.util.UUID;

/** An entry of the ledger. */
@Entity
@SuppressWarnings("NullAway.Init")
class CreditEntry {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    long id;

    UUID accountId;
    int credits;

    /** Who gave credits. */
    String origin;

    String reference;
}
