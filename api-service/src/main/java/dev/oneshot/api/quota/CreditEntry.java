package dev.oneshot.api.quota;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.EnumeratedValue;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.Instant;
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

    @Enumerated(EnumType.STRING)
    Origin origin;

    String reference;

    @Column(insertable = false, updatable = false)
    Instant createdAt;

    /** Who gave credits. */
    enum Origin {
        PURCHASE("purchase"),
        OPERATOR("operator");

        @EnumeratedValue
        final String text;

        Origin(String text) {
            this.text = text;
        }
    }
}
