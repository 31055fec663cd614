package dev.oneshot.cli;

import java.io.PrintStream;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;

/** A line on a terminal that moves while a command waits, and disappears after it. */
final class Spinner extends TimerTask {

    private static final String FRAMES = "|/-\\";
    private static final long INTERVAL_MILLIS = 200;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream terminal;
    private final String text;
    private int frames;

    private Spinner(PrintStream terminal, String text) {
        this.terminal = terminal;
        this.text = text;
    }

    static <T> T during(PrintStream terminal, String text, Callable<T> work) throws Exception {
        Timer timer = new Timer(true);
        Spinner spinner = new Spinner(terminal, text);
        timer.scheduleAtFixedRate(spinner, 0, INTERVAL_MILLIS);
        try {
            return work.call();
        } finally {
            timer.cancel();
            spinner.clear();
        }
    }

    @Override
    public synchronized void run() {
        if (frames >= 0) {
            terminal.print("\r" + FRAMES.charAt(frames % FRAMES.length()) + " " + text + ", "
                    + frames * INTERVAL_MILLIS / 1000 + " s");
            terminal.flush();
            frames++;
        }
    }

    private synchronized void clear() {
        frames = -1;
        terminal.print(CLEAR_LINE);
        terminal.flush();
    }
}
