package dev.oneshot.mailer.request;

import dev.oneshot.mailer.relay.ScriptedRelay;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Holds the first mails, before their 354 or before their 250, until they are released. */
final class HoldingFirst implements ScriptedRelay.Script {

    private final int count;
    private final boolean afterData;
    private final CountDownLatch released = new CountDownLatch(1);
    private final Set<String> held = new HashSet<>();

    HoldingFirst(int count, boolean afterData) {
        this.count = count;
        this.afterData = afterData;
    }

    synchronized int held() {
        return held.size();
    }

    void release() {
        released.countDown();
    }

    @Override
    public String command(String line) {
        if (!afterData && line.startsWith("MAIL FROM:")) {
            hold(line.substring(line.indexOf('<') + 1, line.indexOf('>')));
        }
        return ScriptedRelay.Script.super.command(line);
    }

    @Override
    public String data(ScriptedRelay.Mail mail) {
        if (afterData) {
            hold(mail.from());
        }
        return ScriptedRelay.Script.super.data(mail);
    }

    private void hold(String sender) {
        if (isToBeHeld(sender)) {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private synchronized boolean isToBeHeld(String sender) {
        return held.size() < count && held.add(sender);
    }
}
