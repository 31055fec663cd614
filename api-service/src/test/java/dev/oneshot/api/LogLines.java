package dev.oneshot.api;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Logger;

/** What a category of the log and those below it say until this is closed. */
public final class LogLines extends ExtHandler {

    private final Queue<ExtLogRecord> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger;

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    /** Listens to a category; to all of them by the empty name. */
    public static LogLines of(String category) {
        LogLines lines = new LogLines(Logger.getLogger(category));
        lines.logger.addHandler(lines);
        return lines;
    }

    /** What was said so far. */
    public List<ExtLogRecord> lines() {
        return List.copyOf(lines);
    }

    @Override
    protected void doPublish(ExtLogRecord line) {
        line.copyAll();
        lines.add(line);
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
