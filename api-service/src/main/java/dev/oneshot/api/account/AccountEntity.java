package dev.oneshot.api.account;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A row of {@code account}. Immutable: only statements change rows, as they decide by the row's newest version. */
@Entity
@Immutable
@Table(name = "account")
@SuppressWarnings("NullAway.Init")
public class AccountEntity {

    @Id
    public UUID id;

    public String name;
    public String plan;

    @Nullable
    public String contactEmail;

    public Instant createdAt;

    /** The billing cycle that {@link #used} counts; if it is an earlier one, nothing is used yet. */
    int cycle;

    /** Addresses of the cycle's allocation. */
    int used;

    long creditsBought;
    long creditsSpent;

    @Nullable
    Instant deletedAt;

    /** The account without its usage. */
    public Account account() {
        return new Account(id, plan, createdAt);
    }

    /** Addresses used in this billing cycle. */
    public long usedIn(BillingCycle present) {
        return cycle == present.number() ? used : 0;
    }

    /** The balance. */
    public long credits() {
        return creditsBought - creditsSpent;
    }
}
