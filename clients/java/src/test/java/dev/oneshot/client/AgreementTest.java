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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clients of TypeScript and Python find the same as the Java client in each mail: in the cases, in the mails of the service's
 * own tests, and in the public corpus, whose folder {@code -Doneshot.corpus} names. Without a corpus, Node or Python, the test is
 * skipped, and a line says so. The TypeScript client is the copy in the console.
 */
@NullMarked
class AgreementTest {

    private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
    private static final Path MAILS = PROJECT.resolve("message/src/test/resources");
    private static final Path CORPUS = Path.of(System.getProperty("oneshot.corpus", "../../../shared/corpus"));
    private static final int FILE_BYTES_MAX = 300_000;
    private static final String JAVASCRIPT = """
            import { pathToFileURL } from "node:url";
            const { Email } = await import(pathToFileURL(process.argv[2] + "/email.js"));
            let text = "";
            for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
            console.log(JSON.stringify(JSON.parse(text).map((mail) => {
              const email = new Email({ ...mail, attachments: [] });
              return { codes: email.codes(), links: email.links(), link: email.verificationLink()?.href ?? "" };
            })));
            """;
    private static final String PYTHON = """
            import json, sys
            sys.dont_write_bytecode = True
            sys.path.insert(0, sys.argv[1])
            from oneshot_client import Email
            def found(mail):
                email = Email(**mail)
                link = email.verification_link()
                return {"codes": [vars(code) for code in email.codes()],
                        "links": [vars(link) for link in email.links()], "link": link.href if link else ""}
            json.dump(list(map(found, json.load(sys.stdin))), sys.stdout)
            """;

    @TempDir
    private Path folder;

    @Test
    void typeScriptFindsTheSame() throws Exception {
        assertFindsTheSame(ownMails(), javaScript());
    }

    @Test
    void typeScriptFindsTheSameInTheCorpus() throws Exception {
        assertFindsTheSame(corpus(), javaScript());
    }

    @Test
    void pythonFindsTheSame() throws Exception {
        assertFindsTheSame(ownMails(), python());
    }

    @Test
    void pythonFindsTheSameInTheCorpus() throws Exception {
        assertFindsTheSame(corpus(), python());
    }

    private List<String> javaScript() throws IOException {
        Path script = Files.writeString(folder.resolve("read.mjs"), JAVASCRIPT);
        Files.writeString(folder.resolve("package.json"), "{\"type\":\"module\"}");
        Path client = Files.createDirectory(folder.resolve("client"));
        try (Stream<Path> files = Files.list(PROJECT.resolve("console/src/client"))) {
            for (Path file : files.toList()) {
                Files.copy(file, client.resolve(file.getFileName()));
            }
        }
        return List.of("node", script.toString(), client.toString());
    }

    private List<String> python() throws Exception {
        run("", List.of("python3", "-c", "import sys; assert sys.version_info >= (3, 10), sys.version"));
        Path script = Files.writeString(folder.resolve("read.py"), PYTHON);
        return List.of(
                "python3",
                script.toString(),
                PROJECT.resolve("clients/python/src").toString());
    }

    private void assertFindsTheSame(List<Email> mails, List<String> command) throws Exception {
        JsonArray input = new JsonArray();
        for (Email mail : mails) {
            JsonObject content = new JsonObject();
            content.addProperty("subject", mail.subject());
            content.addProperty("text_body", mail.textBody());
            content.addProperty("html_body", mail.htmlBody());
            content.add("headers", new Gson().toJsonTree(mail.headers()));
            input.add(content);
        }
        JsonArray found = JsonParser.parseString(run(input.toString(), command)).getAsJsonArray();
        assertThat(found).hasSameSizeAs(mails);
        for (int i = 0; i < mails.size(); i++) {
            assertThat(sorted(found.get(i))).as(mails.get(i).toString()).isEqualTo(sorted(found(mails.get(i))));
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

    private String run(String input, List<String> command) throws Exception {
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
            throw skip(e.getMessage());
        }
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("err")))
                .isZero();
        return Files.readString(out);
    }

    /** Skips the test and prints a line. */
    private static RuntimeException skip(@Nullable String why) {
        String line = "########## NOT TESTED: agreement with the Java client: " + why + " ##########";
        System.out.println("oneshot: " + line);
        return abort(line);
    }

    private static List<Email> ownMails() throws IOException {
        List<Email> mails = new ArrayList<>();
        CasesTest.codeCases().map(Case::email).forEach(mails::add);
        CasesTest.linkCases().map(Case::email).forEach(mails::add);
        mails.addAll(mailsIn(MAILS));
        return mails;
    }

    private static List<Email> corpus() throws IOException {
        if (!Files.isDirectory(CORPUS)) {
            throw skip("no public corpus at " + CORPUS + "; set -Doneshot.corpus=DIR");
        }
        return mailsIn(CORPUS);
    }

    private static List<Email> mailsIn(Path root) throws IOException {
        List<Email> mails = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                if (Files.size(file) <= FILE_BYTES_MAX) {
                    // The file as it is, as text, as text with soft line breaks, and as HTML.
                    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
                    mails.add(new Case("Your code", text, "", null).email());
                    mails.add(new Case("Your code", text, "", "text/plain; format=flowed").email());
                    mails.add(new Case("Your code", "", text, null).email());
                }
            }
        }
        return mails;
    }
}
