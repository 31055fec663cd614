package dev.oneshot.api.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run over several accounts whose removal was cut short. */
@ServiceTest
class AccountRemovalTest {

    @Inject
    AccountRemoval removal;

    private final TestAccount stuck = TestAccount.onPlan("free");
    private final TestAccount behind = TestAccount.onPlan("free");

    @BeforeEach
    void keepTheFirstFromBeingRemoved() {
        TestDatabase.update("CREATE TABLE keeper (account_id uuid REFERENCES account (id))");
        TestDatabase.update("INSERT INTO keeper VALUES (?::uuid)", stuck.id());
    }

    @AfterEach
    void letItGo() {
        TestDatabase.update("DROP TABLE keeper");
    }

    @Test
    void accountWhoseRemovalFailsDoesNotKeepTheOthers() {
        TestDatabase.update("UPDATE account SET deleted_at = now() - interval '1 hour' WHERE id = ?::uuid", stuck.id());
        TestDatabase.update("UPDATE account SET deleted_at = now() WHERE id = ?::uuid", behind.id());

        removal.resumeInterrupted();

        assertThat(rowsOf(behind)).isZero();
        assertThat(rowsOf(stuck)).isEqualTo(1);
    }

    private static long rowsOf(TestAccount account) {
        return TestDatabase.count("SELECT count(*) FROM account WHERE id = ?::uuid", account.id());
    }
}
