package dev.oneshot.api.inbox;

import dev.oneshot.api.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Stores mail: status, summary and content of a whole batch become visible in one commit, and each address takes the
 * first mail only, if it still waits. Storing the same mail again does nothing.
 */
@ApplicationScoped
class MailIntake {

    private static final Logger LOG = Logger.getLogger(MailIntake.class);

    private static final String CLAIM = "SELECT address_id, address_expires_at"
            + " FROM receive_mail(?, ?, ?, ?::timestamptz[], ?::int4[], ?::int4[])";

    private static final String COPY = "COPY mail (address_id, expires_at, piece, content) FROM STDIN (FORMAT binary)";

    // Skips past hours: expiry-service drops their partitions, and they take no mail.
    private static final String CREATE_PARTITIONS =
            "SELECT create_mail_partitions(now(), now() + make_interval(secs => ?))";

    /** Above the longest lifetime of an address, which is a day. */
    static final Duration PARTITIONS_AHEAD = Duration.ofHours(30);

    private final Database database;

    MailIntake(Database database) {
        this.database = database;
    }

    /** Creates missing partitions. Normally expiry-service has created them before. */
    void createPartitions() {
        int created = database.row(CREATE_PARTITIONS, row -> row.getInt(1), PARTITIONS_AHEAD.toSeconds())
                .orElseThrow();
        LOG.infof("mail partitions created count=%d", created);
    }

    /**
     * Stores a batch in one transaction.
     *
     * @param batch no two for the same address
     * @return the addresses set to received, with their expiry; the others are missing, expired, for sending, or already have a mail
     */
    @Transactional
    Map<String, Instant> store(List<ReceivedMail> batch) {
        Map<String, Instant> claimed = claim(batch.stream()
                .sorted(Comparator.comparing(ReceivedMail::addressId))
                .toList());
        database.copyAll(
                COPY,
                batch.stream()
                        .filter(mail -> claimed.containsKey(mail.addressId()))
                        .flatMap(mail ->
                                MailPiece.of(mail.addressId(), mail.event().content()))
                        .toList(),
                piece -> new Object[] {
                    piece.addressId(),
                    Objects.requireNonNull(claimed.get(piece.addressId())),
                    piece.number(),
                    piece.content()
                });
        return claimed;
    }

    private Map<String, Instant> claim(List<ReceivedMail> batch) {
        return database
                .rows(
                        CLAIM,
                        row -> Map.entry(
                                row.getString(1),
                                row.getObject(2, OffsetDateTime.class).toInstant()),
                        texts(batch, ReceivedMail::addressId),
                        texts(batch, mail -> StorableText.of(mail.event().from())),
                        texts(batch, mail -> StorableText.of(mail.event().subject())),
                        texts(batch, mail -> mail.event().receivedAt()),
                        texts(batch, ReceivedMail::sizeBytes),
                        texts(batch, mail -> mail.event().attachmentCount()))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static List<String> texts(List<ReceivedMail> batch, Function<ReceivedMail, Object> column) {
        return batch.stream().map(column).map(Object::toString).toList();
    }
}
