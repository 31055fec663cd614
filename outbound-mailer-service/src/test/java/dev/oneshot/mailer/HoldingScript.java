package dev.oneshot.mailer;

import dev.oneshot.testing.ScriptedRelay;
import java.util.concurrent.CountDownLatch;

/** A relay that holds the mails to a recipient at DATA, or at the end of the data, until it is released. */
public final class HoldingScript implements ScriptedRelay.Script {

    private final String step;
    private final String recipient;
    private final String reply;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Holds at {@code DATA} or at {@code .}; {@code reply} is that to the end of the data. */
    public HoldingScript(String step, String recipient, String reply) {
        this.step = step;
        this.recipient = recipient;
        this.reply = reply;
    }

    public void awaitReached() throws InterruptedException {
        reached.await();
    }

    public void release() {
        released.countDown();
    }

    @Override
    public String begin(String to) {
        hold("DATA", to);
        return command("DATA");
    }

    @Override
    public String data(ScriptedRelay.Mail mail) {
        hold(".", mail.to());
        return reply;
    }

    private void hold(String at, String to) {
        if (at.equals(step) && to.equals(recipient)) {
            reached.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
