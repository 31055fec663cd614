package dev.oneshot.api.sending;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A row of {@code send_settlement}. */
@Entity
@Immutable
@Table(name = "send_settlement")
@SuppressWarnings("NullAway.Init")
class Settlement {

    @Id
    String addressId;

    @Nullable
    UUID accountId;

    String outcome;

    @Nullable
    String failure;

    @Nullable
    Integer replyCode;

    @Nullable
    String enhancedStatus;

    int attempts;

    @Nullable
    Instant requestedAt;

    Instant settledAt;
}
