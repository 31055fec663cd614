package dev.oneshot.api;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Logger;

/** The log lines of a category and its subcategories, until this is closed. */
public final class LogLines extends ExtHandler {

    private final Queue<ExtLogRecord> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger;

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    /** Listens to a category; the empty name is the root. */
    public static LogLines of(String category) {
        LogLines lines = new LogLines(Logger.getLogger(category));
        lines.logger.addHandler(lines);
        return lines;
    }

    /** The lines so far. */
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
