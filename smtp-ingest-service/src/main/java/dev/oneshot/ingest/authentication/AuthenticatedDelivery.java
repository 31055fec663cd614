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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Puts the verdicts in front of each message, then stores it, whatever they are. Checks SPF when the message begins, DKIM and DMARC
 * after its end.
 *
 * <p>A small message is checked on the thread of its session if all DNS answers are cached: another thread would cost more than the
 * checks. All others are checked on virtual threads.
 */
public final class AuthenticatedDelivery implements MailDelivery {

    private static final Logger LOG = Logger.getLogger(AuthenticatedDelivery.class);
    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("verdicts").start(task);
    /** Hashing so many bytes takes about as long as verifying a signature. */
    private static final int SMALL = 64 * 1024;

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
        CompletableFuture<List<Spf>> spf = atOnce(() -> authenticator.spfOfKeptAnswers(origin, reversePath))
                .orElseGet(() -> CompletableFuture.supplyAsync(() -> authenticator.spf(origin, reversePath), THREADS));
        Incoming incoming = delivery.begin(origin, reversePath);
        return (transaction, onOutcome) -> {
            var _ = authenticated(transaction, spf).thenAccept(checked -> incoming.store(checked, onOutcome));
        };
    }

    @Override
    public boolean isReady() {
        return delivery.isReady();
    }

    /** The result of a check that does not wait, if it has one. If that check throws, the check that may wait reports it. */
    private static <T> Optional<CompletableFuture<T>> atOnce(Supplier<Optional<T>> check) {
        try {
            return check.get().map(CompletableFuture::completedFuture);
        } catch (RuntimeException e) {
            LOG.debug("check without waiting failed", e);
            return Optional.empty();
        }
    }

    /** The message with its verdicts; never completes exceptionally. */
    private CompletableFuture<MailTransaction> authenticated(
            MailTransaction transaction, CompletableFuture<List<Spf>> spf) {
        long since = System.nanoTime();
        boolean maybeAtOnce =
                spf.state() == Future.State.SUCCESS && transaction.octets().length() <= SMALL;
        Optional<CompletableFuture<Verdicts>> atOnce = maybeAtOnce
                ? atOnce(() -> authenticator.verdictsOfKeptAnswers(transaction.octets(), spf.resultNow()))
                : Optional.empty();
        return atOnce.orElseGet(() -> awaited(transaction, spf, since))
                .thenApply(verdicts -> authenticated(transaction, verdicts, since))
                .exceptionally(failure -> {
                    LOG.errorf(failure, "verdicts not added transaction=%s", transaction.id());
                    return transaction;
                });
    }

    private CompletableFuture<Verdicts> awaited(
            MailTransaction transaction, CompletableFuture<List<Spf>> spf, long since) {
        long deadline = since + authenticator.timeout().toNanos();
        List<Spf> unknown = Authenticator.unknownSpf(
                transaction.origin(), transaction.envelope().reversePath());
        return spf.exceptionally(failure -> {
                    LOG.errorf(failure, "SPF not checked transaction=%s", transaction.id());
                    return unknown;
                })
                // The other half of the time is for DKIM and DMARC.
                .completeOnTimeout(unknown, authenticator.timeout().toNanos() / 2, TimeUnit.NANOSECONDS)
                .thenApplyAsync(senders -> verdicts(transaction, senders, deadline), THREADS);
    }

    private MailTransaction authenticated(MailTransaction transaction, Verdicts verdicts, long since) {
        transaction.octets().prepend(ResultsField.of(ours, verdicts));
        metrics.found(verdicts, System.nanoTime() - since);
        return transaction.withVerdicts(verdicts.summary());
    }

    private Verdicts verdicts(MailTransaction transaction, List<Spf> senders, long deadline) {
        try {
            return authenticator.verdicts(transaction.octets(), senders, deadline);
        } catch (RuntimeException e) {
            // A defect must not lose the mail.
            LOG.errorf(e, "DKIM and DMARC not checked transaction=%s", transaction.id());
            return new Verdicts(
                    senders,
                    List.of(DkimResult.unnamed(DkimResult.Verdict.TEMPERROR, "")),
                    new DmarcResult(DmarcResult.Verdict.TEMPERROR, ""),
                    "");
        }
    }
}
