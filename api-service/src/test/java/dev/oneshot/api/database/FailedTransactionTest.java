package dev.oneshot.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.PreparedStatement;
import org.junit.jupiter.api.Test;

class FailedTransactionTest {

    private final FreshDatabase fresh = FreshDatabase.create();

    /** Such as an address that was charged for, and the mail of which did not fit into memory. */
    @Test
    void nothingIsLeftOfOneThatEndedWithAnError() {
        assertThatThrownBy(() -> fresh.database().transaction(connection -> {
                    try (PreparedStatement insert = connection.prepareStatement(
                            "INSERT INTO account_change (account_id) VALUES (gen_random_uuid())")) {
                        insert.executeUpdate();
                    }
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);

        assertThat(fresh.number("SELECT count(*) FROM account_change")).isZero();
    }
}
