package dev.oneshot.testing;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A relay that accepts every mail, and holds mails to two recipients at a step until it is released, so that a test
 * can act on the client exactly there.
 */
public final class HoldingScript implements ScriptedRelay.Script {

    /** The mail is held at DATA, before the 354. */
    public static final String BEFORE_DATA = "before-data@recipient.example";
    /** The mail is held after its data, before the 250. */
    public static final String BEFORE_250 = "before-250@recipient.example";
    /** The mail takes some time, as with a distant relay. */
    public static final String SLOW = "slow@recipient.example";
    /** The mail is accepted at its second attempt. */
    public static final String SECOND_TIME = "second-time@recipient.example";

    private static final Duration SLOWNESS = Duration.ofMillis(20);

    private final String reply;
    private final CountDownLatch released = new CountDownLatch(1);
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final Set<String> refusedOnce = ConcurrentHashMap.newKeySet();

    public HoldingScript() {
        this("250 2.0.0 taken");
    }

    /** With this reply to the end of the data. */
    public HoldingScript(String reply) {
        this.reply = reply;
    }

    /** Whether a mail to this recipient is or was held. */
    public boolean hasHeld(String recipient) {
        return held.contains(recipient);
    }

    /** Releases all held mails, and holds none from now on. */
    public void release() {
        released.countDown();
    }

    @Override
    public String begin(String to) {
        hold(BEFORE_DATA, to);
        return command("DATA");
    }

    @Override
    public String data(ScriptedRelay.Mail mail) {
        hold(BEFORE_250, mail.to());
        if (mail.to().equals(SLOW)) {
            LockSupport.parkNanos(SLOWNESS.toNanos());
        }
        return mail.to().equals(SECOND_TIME) && refusedOnce.add(mail.from()) ? "451 4.3.0 later" : reply;
    }

    private void hold(String held, String to) {
        if (to.equals(held)) {
            this.held.add(held);
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
