package dev.oneshot.testing;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Formatter;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;

/** The log lines of a category and its subcategories, until this is closed. */
public final class LogLines extends ExtHandler {

    private static final Formatter TEXT = new PatternFormatter("%p %s");

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

    /** Listens to a class. */
    public static LogLines of(Class<?> type) {
        return of(type.getName());
    }

    /** The lines so far. */
    public List<ExtLogRecord> lines() {
        return List.copyOf(lines);
    }

    /** The lines so far, each as in {@code WARN the message}. */
    public List<String> texts() {
        return lines.stream().map(TEXT::format).toList();
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
