package dev.oneshot.api.account;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A row of {@code account}. Immutable, as rows are changed by statements only, which decide by the row's newest version. */
@Entity
@Immutable
@Table(name = "account")
@SuppressWarnings("NullAway.Init")
class AccountEntity {

    @Id
    UUID id;

    String name;
    String plan;

    @Nullable
    String contactEmail;

    byte[] apiKeySha256;

    Instant createdAt;

    int cycle;
    int used;
    long creditsBought;
    long creditsSpent;

    @Nullable
    Instant deletedAt;

    AccountStore.Row row() {
        return new AccountStore.Row(
                new Account(id, name, plan, contactEmail, createdAt), cycle, used, creditsBought - creditsSpent);
    }
}
