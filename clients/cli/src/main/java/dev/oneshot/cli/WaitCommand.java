package dev.oneshot.cli;

import dev.oneshot.client.Email;
import dev.oneshot.client.Link;
import dev.oneshot.client.OneshotClient;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Waits for an e-mail. It is a command of its own and one of {@code address}. */
@Command(name = "wait", description = "Waits for the e-mail of an address, and prints it.")
final class WaitCommand implements Callable<Integer> {

    private final OneshotCli cli;

    @Parameters(paramLabel = "ADDRESS", description = "The address, or its id.")
    private String address = "";

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = OneshotCli.Seconds.class,
            description = "How long to wait; by default 60 seconds. With 0 it looks once.")
    private long timeoutSeconds = 60;

    @ArgGroup
    private Part part = new Part();

    /** The options for output other than the e-mail. */
    static final class Part {

        @Option(names = "--code", description = "Prints its one-time code and nothing else.")
        private boolean code;

        @Option(names = "--link", description = "Prints the URL of its verification link and nothing else.")
        private boolean link;
    }

    WaitCommand(OneshotCli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() throws Exception {
        OneshotClient client = cli.client();
        Callable<Email> wait = () -> client.awaitEmail(address, Duration.ofSeconds(timeoutSeconds));
        Email email = cli.isOnTerminal()
                ? Spinner.during(cli.err(), "waiting for the e-mail to " + address, wait)
                : wait.call();
        Output output = cli.output();
        if (part.code) {
            output.code(email.code().orElseThrow(() -> new NoSuchElementException("the e-mail has no code")));
        } else if (part.link) {
            output.link(email.verificationLink()
                    .flatMap(link -> link.url().map(url -> new Link(link.text(), url)))
                    .orElseThrow(() -> new NoSuchElementException("the e-mail has no verification link")));
        } else {
            output.email(email);
        }
        return 0;
    }
}
