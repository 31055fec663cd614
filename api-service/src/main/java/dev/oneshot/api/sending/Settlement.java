package dev.oneshot.api.sending;

import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A row of {@code send_settlement}, as the operator sees it: with names in lower case. */
@Entity
@RegisterForReflection
@Immutable
@Table(name = "send_settlement")
@SuppressWarnings("NullAway.Init")
public class Settlement {

    @Id
    public String addressId;

    @Nullable
    public UUID accountId;

    @ColumnTransformer(read = "lower(outcome)")
    public String outcome;

    @ColumnTransformer(read = "lower(failure)")
    @Nullable
    public String failure;

    @Nullable
    public Integer replyCode;

    @Nullable
    public String enhancedStatus;

    public int attempts;

    @Nullable
    public Instant requestedAt;

    public Instant settledAt;
}
