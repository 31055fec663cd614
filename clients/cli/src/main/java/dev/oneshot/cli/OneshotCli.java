package dev.oneshot.cli;

import dev.oneshot.client.ApiException;
import dev.oneshot.client.AwaitTimeoutException;
import dev.oneshot.client.Mode;
import dev.oneshot.client.OneshotClient;
import dev.oneshot.client.Status;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/** The command, with the options, exit codes and output of all its subcommands. */
@Command(
        name = "oneshot-cli",
        description = "Creates one-shot e-mail addresses, waits for their mail and reads it.",
        synopsisSubcommandLabel = "COMMAND",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = OneshotCli.Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed, for example because the service cannot be reached",
            "2:wrong usage, or a file cannot be read, or the service rejects a value",
            "3:no e-mail arrived in time",
            "4:not found, or expired, or the e-mail has no code (--code) or link (--link)",
            "5:the API key is invalid",
            "6:the quota or the rate limit is exceeded"
        })
public final class OneshotCli {

    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;
    private static final int TIMED_OUT = 3;
    private static final int NOT_FOUND = 4;
    private static final int UNAUTHORIZED = 5;
    private static final int LIMIT_EXCEEDED = 6;

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    @Option(
            names = "--base-url",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "The API up to its version, as in https://mail.example.com/v1; by default $ONESHOT_BASE_URL.")
    private @Nullable String baseUrl;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description =
                    "A file with the API key, or - for standard input; by default the key is in $ONESHOT_API_KEY.")
    private @Nullable Path keyFile;

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Prints JSON, one object a line.")
    private boolean json;

    /** The version in the manifest of the jar. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            return new String[] {"oneshot-cli " + OneshotCli.class.getPackage().getImplementationVersion()};
        }
    }

    /** A number of seconds, 0 to 999,999,999. */
    static final class Seconds implements ITypeConverter<Long> {

        @Override
        public Long convert(String value) {
            if (!value.matches("[0-9]{1,9}")) {
                throw new TypeConversionException("must be from 0 to 999999999, not " + value);
            }
            return Long.valueOf(value);
        }
    }

    OneshotCli(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String... args) {
        System.exit(new OneshotCli(System.getenv(), utf8(FileDescriptor.out), utf8(FileDescriptor.err)).run(args));
    }

    /** Whether both standard input and standard output are a terminal, and it can clear a line. */
    @SuppressWarnings("SystemConsoleNull") // The console of java.base is null without a terminal.
    boolean isOnTerminal() {
        System.setProperty("jdk.console", "java.base");
        return !"dumb".equals(environment.get("TERM")) && System.console() != null;
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** Returns the exit code. */
    int run(String... args) {
        CommandLine address = new CommandLine(new AddressCommand(this)).addSubcommand(new WaitCommand(this));
        int exitCode = new CommandLine(this)
                .addSubcommand(address)
                .addSubcommand(new WaitCommand(this))
                .addSubcommand("completion", new GenerateCompletion())
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .registerConverter(Status.class, oneOf(EnumSet.complementOf(EnumSet.of(Status.UNKNOWN))))
                .registerConverter(Mode.class, oneOf(EnumSet.complementOf(EnumSet.of(Mode.UNKNOWN))))
                .setExecutionExceptionHandler((e, command, parsed) -> failed(e))
                .setParameterExceptionHandler((e, line) -> wrongUsage(e))
                .execute(args);
        if (exitCode == DONE && out.checkError()) {
            err.println("oneshot-cli: standard output is closed or cannot be written");
            return FAILED;
        }
        return exitCode;
    }

    /** Takes the names in any case. */
    private static <E extends Enum<E>> ITypeConverter<E> oneOf(Set<E> constants) {
        return value -> constants.stream()
                .filter(constant -> constant.name().equalsIgnoreCase(value))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "expected one of " + constants.toString().toLowerCase(Locale.ROOT) + ", not " + value));
    }

    @Command(description = "Shows the account: plan, usage and credits.")
    void account() {
        output().account(client().getAccount());
    }

    OneshotClient client() {
        String url = baseUrl != null ? baseUrl : environment.get("ONESHOT_BASE_URL");
        if (url == null) {
            throw new IllegalArgumentException("there is no base URL: set ONESHOT_BASE_URL, or use --base-url");
        }
        String key = keyFile != null
                ? new String(read("--key-file", keyFile), StandardCharsets.UTF_8).strip()
                : environment.get("ONESHOT_API_KEY");
        if (key == null || key.isBlank()) {
            throw new IllegalArgumentException("there is no API key: set ONESHOT_API_KEY, or use --key-file");
        }
        return OneshotClient.builder().baseUrl(url).apiKey(key).build();
    }

    /** The content of the file that the option names. */
    static byte[] read(String option, Path file) {
        try {
            return file.toString().equals("-") ? System.in.readAllBytes() : Files.readAllBytes(file);
        } catch (IOException e) {
            String reason = Files.exists(file) ? "cannot read " : "no file ";
            throw new IllegalArgumentException(option + ": " + reason + file, e);
        }
    }

    Output output() {
        return new Output(out, json);
    }

    PrintStream err() {
        return err;
    }

    /** Two lines: a whole help text would push the reason off the screen. */
    private int wrongUsage(ParameterException e) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        err.println("oneshot-cli: " + Output.visible(String.valueOf(e.getMessage())));
        err.println("See " + command + " --help");
        return WRONG_USAGE;
    }

    private int failed(Exception e) {
        err.println("oneshot-cli: " + Output.visible(String.valueOf(e.getMessage())));
        return exitCode(e);
    }

    private static int exitCode(Throwable e) {
        if (e instanceof ApiException error) {
            return switch (error.status()) {
                case 400, 422 -> WRONG_USAGE;
                case 401 -> UNAUTHORIZED;
                case 402, 429 -> LIMIT_EXCEEDED;
                case 404, 410 -> NOT_FOUND;
                default -> FAILED;
            };
        }
        if (e instanceof AwaitTimeoutException) {
            // With a cause, the service failed at the end, and it is unknown whether there is an e-mail.
            return e.getCause() == null ? TIMED_OUT : exitCode(e.getCause());
        }
        if (e instanceof NoSuchElementException) {
            return NOT_FOUND;
        }
        return e instanceof IllegalArgumentException ? WRONG_USAGE : FAILED;
    }
}
