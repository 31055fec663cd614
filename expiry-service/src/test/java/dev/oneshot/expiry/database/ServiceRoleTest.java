package dev.oneshot.expiry.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.testing.Sql;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The role of this service has the rights that it needs, and no others. */
class ServiceRoleTest {

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private static TestDatabase database;
    private static Sql service;

    @BeforeAll
    static void migrate() {
        database = TestDatabase.create();
        service = new Sql(database.asService());
    }

    @Test
    void itsRightsOnTablesAreTheseAndNoOthers() {
        assertThat(database.texts("""
                        SELECT relname || ' ' || privilege
                        FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES',
                            'TRIGGER', 'MAINTAIN']) AS privilege
                        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
                            AND has_table_privilege('oneshot_expiry', oid, privilege)"""))
                .containsExactlyInAnyOrder(
                        "address DELETE", "mail DELETE", "kept_response DELETE", "send_settlement DELETE");
    }

    @Test
    void itsRightsOnColumnsAreTheseAndNoOthers() {
        assertThat(database.texts("""
                        SELECT relname || ' ' || privilege || ' ' || string_agg(attname, ', ' ORDER BY attname)
                        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped,
                            unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) AS privilege
                        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
                            AND has_column_privilege('oneshot_expiry', pg_class.oid, attnum, privilege)
                        GROUP BY relname, privilege"""))
                .containsExactlyInAnyOrder(
                        "address SELECT expires_at, id, mail_size_bytes, status",
                        "address UPDATE mail_attachment_count, mail_from, mail_received_at, mail_size_bytes,"
                                + " mail_subject, status",
                        "mail SELECT address_id, expires_at",
                        "kept_response SELECT account_id, expires_at, key",
                        "kept_response UPDATE expires_at",
                        "send_settlement SELECT address_id, settled_at",
                        "send_settlement UPDATE settled_at");
    }

    @Test
    void theFunctionsThatLendItMoreAreTheseAndNoOthers() {
        assertThat(database.texts("""
                        SELECT proname FROM pg_proc
                        WHERE prosecdef AND pronamespace = 'public'::regnamespace
                            AND has_function_privilege('oneshot_expiry', oid, 'EXECUTE')"""))
                .containsExactlyInAnyOrder(
                        "create_mail_partitions",
                        "attach_mail_partitions",
                        "expired_mail_partitions",
                        "drop_expired_mail_partition");
    }

    @Test
    void roleHasNoOtherRolesAndOwnsNothing() {
        assertThat(database.texts("""
                        SELECT rolname FROM pg_roles
                        WHERE rolname = 'oneshot_expiry' AND NOT (rolsuper OR rolcreaterole OR rolcreatedb
                            OR rolreplication OR rolbypassrls)""")).hasSize(1);
        assertThat(database.texts(
                        "SELECT roleid::regrole FROM pg_auth_members WHERE member = 'oneshot_expiry'::regrole"))
                .isEmpty();
        assertThat(database.texts("SELECT relname FROM pg_class WHERE relowner = 'oneshot_expiry'::regrole"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT content FROM mail",
                "DROP TABLE mail",
                "CREATE TABLE mine (id int)",
                "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "CREATE DATABASE mine",
                "COPY address TO PROGRAM 'cat'",
                "SELECT pg_read_file('postgresql.conf')"
            })
    void whatItDoesNotDoIsForbidden(String statement) {
        assertThatThrownBy(() -> service.execute(statement))
                .cause()
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failure -> assertThat(failure.getSQLState()).isEqualTo(INSUFFICIENT_PRIVILEGE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "drop_expired_mail_partition('-1 day', '1 second')          | must not be negative",
                "drop_expired_mail_partition('-1 microsecond', '1 second')  | must not be negative",
                "create_mail_partitions(now(), now() + interval '33 days') | at most 32 days"
            })
    void itDropsNoHourThatIsNotOverAndCreatesNotTooMany(String call, String message) {
        assertThatThrownBy(() -> service.execute("SELECT " + call)).hasStackTraceContaining(message);
    }
}
