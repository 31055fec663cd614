package dev.oneshot.cli;

import dev.oneshot.client.AddressFilter;
import dev.oneshot.client.CreateAddress;
import dev.oneshot.client.Mode;
import dev.oneshot.client.OneshotClient;
import dev.oneshot.client.Send;
import dev.oneshot.client.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for addresses and their e-mail. */
@Command(
        name = "address",
        description = "Creates, lists, reads and deletes addresses.",
        synopsisSubcommandLabel = "COMMAND")
final class AddressCommand {

    private final OneshotCli cli;

    AddressCommand(OneshotCli cli) {
        this.cli = cli;
    }

    @Command(description = "Creates an address that receives one e-mail, and prints it.")
    void create(
            @Option(
                            names = "--ttl",
                            paramLabel = "SECONDS",
                            converter = OneshotCli.Seconds.class,
                            description = "Its lifetime; by default an hour.")
                    @Nullable
                    Long ttlSeconds,
            @Option(names = "--label", description = "1 to 255 characters.") @Nullable String label) {
        cli.output().created(cli.client().createAddress(new CreateAddress(ttlSeconds, label, null)));
    }

    @Command(description = "Prints address, status, expiry, label and subject of each address, newest first.")
    void list(
            @Option(names = "--status", description = "Only these: waiting, received, expired or sent.") @Nullable
                    Status status,
            @Option(names = "--label", description = "Only those with exactly this label.") @Nullable String label,
            @Option(names = "--mode", description = "Only these: receive or send.") @Nullable Mode mode) {
        cli.output().addresses(cli.client().listAddresses(new AddressFilter(status, label, mode)));
    }

    @Command(description = "Prints the e-mail of an address.")
    void read(@Parameters(paramLabel = "ADDRESS", description = "The address, or its id.") String address) {
        cli.output().email(cli.client().getEmail(address));
    }

    @Command(description = "Prints the e-mail as it was received (RFC 5322).")
    void raw(@Parameters(paramLabel = "ADDRESS", description = "The address, or its id.") String address)
            throws IOException {
        cli.output().content(cli.client().getRawEmail(address));
    }

    @Command(description = "Prints the content of an attachment.")
    void attachment(
            @Parameters(paramLabel = "ADDRESS", description = "The address, or its id.") String address,
            @Parameters(paramLabel = "INDEX", description = "The number of the attachment, from 0.") int index)
            throws IOException {
        cli.output().content(cli.client().getAttachment(address, index));
    }

    @Command(description = "Sends an e-mail from an address of its own, and prints that address.")
    void send(
            @Option(names = "--to", required = true, paramLabel = "ADDRESS", description = "The recipient.") String to,
            @Option(names = "--subject", required = true, description = "At most 998 characters.") String subject,
            @Option(names = "--text", description = "The body as plain text; - reads it from standard input.") @Nullable
                    String text,
            @Option(names = "--html", description = "The body as HTML; - reads it from standard input.") @Nullable
                    String html,
            @Option(names = "--attach", paramLabel = "FILE", description = "A file to attach; may be repeated.")
                    @Nullable
                    List<Path> files,
            @Option(
                            names = "--ttl",
                            paramLabel = "SECONDS",
                            converter = OneshotCli.Seconds.class,
                            description = "Its lifetime; by default an hour.")
                    @Nullable
                    Long ttlSeconds,
            @Option(names = "--label", description = "1 to 255 characters.") @Nullable String label)
            throws IOException {
        if ("-".equals(text) && "-".equals(html)) {
            throw new IllegalArgumentException("only one of --text and --html can be read from standard input");
        }
        Send send = new Send(to, subject, body(text), body(html), List.of());
        for (Path file : files == null ? List.<Path>of() : files) {
            String type = Files.probeContentType(file);
            send = send.withAttachment(
                    String.valueOf(file.getFileName()),
                    type == null ? "application/octet-stream" : type,
                    OneshotCli.read("--attach", file));
        }
        cli.output().created(cli.client().createAddress(new CreateAddress(ttlSeconds, label, send)));
    }

    @Command(description = "Deletes addresses and their e-mail: those that are given, or all with a label.")
    void delete(
            @Parameters(paramLabel = "ADDRESS", arity = "0..*", description = "Addresses, or their ids.") @Nullable
                    List<String> addresses,
            @Option(names = "--label", description = "Deletes all with exactly this label.") @Nullable String label) {
        if ((addresses == null) == (label == null)) {
            throw new IllegalArgumentException("give either addresses or --label");
        }
        OneshotClient client = cli.client();
        if (label != null) {
            client.deleteAddressesByLabel(label);
        }
        for (String address : addresses == null ? List.<String>of() : addresses) {
            client.deleteAddress(address);
        }
    }

    private static @Nullable String body(@Nullable String option) throws IOException {
        return "-".equals(option) ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : option;
    }
}
