package dev.oneshot.ingest.authentication;

import dev.oneshot.authentication.dkim.DkimResult;
import dev.oneshot.authentication.dmarc.DmarcResult;
import dev.oneshot.authentication.results.AuthservId;
import dev.oneshot.ingest.authentication.Verdicts.Spf;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.session.MailDelivery;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Puts the verdicts in front of each message, then stores it. SPF is checked while the message comes in, DKIM and DMARC
 * after its end, on virtual threads. Each message is stored, whatever its verdicts.
 */
public final class AuthenticatedDelivery implements MailDelivery {

    private static final Logger LOG = Logger.getLogger(AuthenticatedDelivery.class);
    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("verdicts").start(task);

    private final Authenticator authenticator;
    private final AuthservId ours;
    private final AuthenticationMetrics metrics;
    private final MailDelivery delivery;

    public AuthenticatedDelivery(
            Authenticator authenticator, AuthservId ours, AuthenticationMetrics metrics, MailDelivery delivery) {
        this.authenticator = authenticator;
        this.ours = ours;
        this.metrics = metrics;
        this.delivery = delivery;
    }

    @Override
    public Incoming begin(Origin origin, ReversePath reversePath) {
        CompletableFuture<List<Spf>> spf =
                CompletableFuture.supplyAsync(() -> authenticator.spf(origin, reversePath), THREADS);
        Incoming incoming = delivery.begin(origin, reversePath);
        return (transaction, onOutcome) -> {
            var _ = authenticated(transaction, spf).thenAccept(checked -> incoming.store(checked, onOutcome));
        };
    }

    @Override
    public boolean isReady() {
        return delivery.isReady();
    }

    /** The message with its verdicts; never completes exceptionally. */
    private CompletableFuture<MailTransaction> authenticated(
            MailTransaction transaction, CompletableFuture<List<Spf>> spf) {
        long since = System.nanoTime();
        List<Spf> unknown = Authenticator.unknownSpf(
                transaction.origin(), transaction.envelope().reversePath());
        return spf.exceptionally(failure -> {
                    LOG.errorf(failure, "SPF not checked transaction=%s", transaction.id());
                    return unknown;
                })
                // The other half of the time is for DKIM and DMARC.
                .completeOnTimeout(unknown, authenticator.timeout().toNanos() / 2, TimeUnit.NANOSECONDS)
                .thenApplyAsync(senders -> authenticated(transaction, senders, since), THREADS)
                .exceptionally(failure -> {
                    LOG.errorf(failure, "verdicts not added transaction=%s", transaction.id());
                    return transaction;
                });
    }

    private MailTransaction authenticated(MailTransaction transaction, List<Spf> senders, long since) {
        Verdicts verdicts =
                verdicts(transaction, senders, since + authenticator.timeout().toNanos());
        transaction.octets().prepend(ResultsField.of(ours, verdicts));
        metrics.found(verdicts, System.nanoTime() - since);
        return transaction.withVerdicts(verdicts.summary());
    }

    private Verdicts verdicts(MailTransaction transaction, List<Spf> senders, long deadline) {
        try {
            return authenticator.verdicts(transaction.octets(), senders, deadline);
        } catch (RuntimeException e) {
            // Our own defect.
            LOG.errorf(e, "DKIM and DMARC not checked transaction=%s", transaction.id());
            return new Verdicts(
                    senders,
                    List.of(DkimResult.unnamed(DkimResult.Verdict.TEMPERROR, "")),
                    new DmarcResult(DmarcResult.Verdict.TEMPERROR, ""),
                    "");
        }
    }
}
