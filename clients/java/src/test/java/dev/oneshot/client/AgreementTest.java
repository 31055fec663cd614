package dev.oneshot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.oneshot.client.CasesTest.Case;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clients of TypeScript and Python find the same in each mail: in the cases, in the mails of the service's own tests, and in
 * the files of the folder that the environment variable ONESHOT_CORPUS names. The TypeScript client is the copy in the console.
 */
@NullMarked
class AgreementTest {

    private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
    private static final int FILE_BYTES_MAX = 300_000;
    private static final String JAVASCRIPT = """
            import { pathToFileURL } from "node:url";
            const { Email } = await import(pathToFileURL(process.argv[2] + "/email.js"));
            let text = "";
            for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
            console.log(JSON.stringify(JSON.parse(text).map((mail) => {
              const email = new Email({ ...mail, headers: {}, attachments: [] });
              return { codes: email.codes(), links: email.links(), link: email.verificationLink()?.href ?? "" };
            })));
            """;

    @TempDir
    private Path folder;

    @Test
    void javaAndTypeScriptFindTheSame() throws Exception {
        Path script = Files.writeString(folder.resolve("read.mjs"), JAVASCRIPT);
        Files.writeString(folder.resolve("package.json"), "{\"type\":\"module\"}");
        Path client = Files.createDirectory(folder.resolve("client"));
        try (Stream<Path> files = Files.list(PROJECT.resolve("console/src/client"))) {
            for (Path file : files.toList()) {
                Files.copy(file, client.resolve(file.getFileName()));
            }
        }
        findsTheSame("node", script.toString(), client.toString());
    }

    private void findsTheSame(String... command) throws Exception {
        List<Email> mails = mails();
        JsonArray input = new JsonArray();
        JsonArray expected = new JsonArray();
        for (Email mail : mails) {
            JsonObject content = new JsonObject();
            content.addProperty("subject", mail.subject());
            content.addProperty("text_body", mail.textBody());
            content.addProperty("html_body", mail.htmlBody());
            input.add(content);
            expected.add(found(mail));
        }
        JsonArray found = JsonParser.parseString(run(input.toString(), command)).getAsJsonArray();
        assertThat(found).hasSameSizeAs(mails);
        for (int i = 0; i < mails.size(); i++) {
            assertThat(sorted(found.get(i))).as(mails.get(i).toString()).isEqualTo(sorted(expected.get(i)));
        }
    }

    private static JsonObject found(Email mail) {
        JsonObject found = new JsonObject();
        found.add("codes", new Gson().toJsonTree(mail.codes()));
        found.add("links", new Gson().toJsonTree(mail.links()));
        found.addProperty("link", mail.verificationLink().map(Link::href).orElse(""));
        return found;
    }

    /** Objects are equal whatever the order of their members; numbers are read as they are written. */
    private static JsonElement sorted(JsonElement element) {
        return JsonParser.parseString(element.toString());
    }

    private String run(String input, String... command) throws Exception {
        Path out = folder.resolve("out");
        Path in = Files.writeString(folder.resolve("in"), input);
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(folder.resolve("err").toFile())
                    .start();
        } catch (IOException e) {
            String line = "########## NOT TESTED: agreement with the Java client: " + e.getMessage() + " ##########";
            System.out.println("oneshot: " + line);
            return abort(line);
        }
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("err")))
                .isZero();
        return Files.readString(out);
    }

    private static List<Email> mails() throws IOException {
        List<Email> mails = new ArrayList<>();
        CasesTest.codeCases().map(Case::email).forEach(mails::add);
        CasesTest.linkCases().map(Case::email).forEach(mails::add);
        List<Path> folders = new ArrayList<>(List.of(PROJECT.resolve("message/src/test/resources")));
        String corpus = System.getenv("ONESHOT_CORPUS");
        if (corpus != null) {
            folders.add(Path.of(corpus));
        }
        for (Path mail : folders) {
            try (Stream<Path> files = Files.walk(mail)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    if (Files.size(file) <= FILE_BYTES_MAX) {
                        mails.add(emailOf(file));
                    }
                }
            }
        }
        return mails;
    }

    /** The file as it is, as text and as HTML. */
    private static Email emailOf(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        return new Case("", "Your code", text, text, List.of(), List.of(), null).email();
    }
}
