package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.oneshot.client.Address;
import dev.oneshot.local.backends.Program;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.junit.NodeProject;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.SmtpClient;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The clients that openapi-generator makes from the served OpenAPI document compile, and read each byte of an e-mail that is not UTF-8.
 * Where a language or its packages are missing, its test is skipped, and a line says so.
 */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class GeneratedClientsIT {

    /** It also has the libraries that its Java client needs. */
    private static final String GENERATOR = Path.of(
                    System.getProperty("oneshot.project"),
                    "api-service/target/openapi-generator/openapi-generator-cli.jar")
            .toString();

    /** Marks generated sources. It is no longer in the JDK. */
    private static final String ANNOTATION = """
            package javax.annotation;

            public @interface Generated {
                String value();
                String comments();
            }
            """;

    private static final String BODY = "Gr\u00fc\u00dfe aus K\u00f6ln";
    private static final String MAIL = """
            From: ada@example.org
            Subject: Hello
            MIME-Version: 1.0
            Content-Type: text/plain; charset=iso-8859-1
            Content-Transfer-Encoding: 8bit

            %s
            """.formatted(BODY).replace("\n", "\r\n");

    private static final String JAVA = """
            import dev.oneshot.generated.EmailApi;
            import dev.oneshot.generated.ApiClient;
            import java.nio.file.Files;

            class Read {
                public static void main(String[] arguments) throws Exception {
                    ApiClient client = new ApiClient();
                    client.updateBaseUri(arguments[0]);
                    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + arguments[1]));
                    System.out.write(Files.readAllBytes(new EmailApi(client).getRawEmail(arguments[2]).toPath()));
                    System.out.flush();
                    if (!new EmailApi(client).getEmail(arguments[2]).getTextBody().contains("K\\u00f6ln")) {
                        throw new AssertionError("another text");
                    }
                }
            }
            """;
    private static final String PYTHON = """
            import sys
            import openapi_client
            with openapi_client.ApiClient(openapi_client.Configuration(host=sys.argv[1], access_token=sys.argv[2])) as client:
                emails = openapi_client.EmailApi(client)
                sys.stdout.buffer.write(emails.get_raw_email(sys.argv[3]))
                assert "K\\u00f6ln" in emails.get_email(sys.argv[3]).text_body
            """;
    private static final String TYPESCRIPT = """
            import { Configuration, EmailApi } from "./index.js";
            const [, , basePath, accessToken, id] = process.argv as [string, string, string, string, string];
            const emails = new EmailApi(new Configuration({ basePath, accessToken }));
            process.stdout.write(Buffer.from(await (await emails.getRawEmail({ id })).arrayBuffer()));
            if (!(await emails.getEmail({ id })).textBody.includes("K\\u00f6ln")) throw new Error("another text");
            """;
    private static final String GO = """
            package main

            import (
            	"context"
            	"io"
            	"os"
            	"strings"

            	generated "github.com/GIT_USER_ID/GIT_REPO_ID"
            )

            func main() {
            	configuration := generated.NewConfiguration()
            	configuration.Servers = generated.ServerConfigurations{{URL: os.Args[1]}}
            	key := context.WithValue(context.Background(), generated.ContextAccessToken, os.Args[2])
            	emails := generated.NewAPIClient(configuration).EmailAPI
            	raw, _, err := emails.GetRawEmail(key, os.Args[3]).Execute()
            	check(err)
            	_, err = io.Copy(os.Stdout, raw)
            	check(err)
            	email, _, err := emails.GetEmail(key, os.Args[3]).Execute()
            	check(err)
            	if !strings.Contains(email.TextBody, "K\\u00f6ln") {
            		panic("another text")
            	}
            }

            func check(err error) {
            	if err != nil {
            		panic(err)
            	}
            }
            """;
    private static final String PACKAGE = """
            {"name":"generated","private":true,"type":"module",
             "scripts":{"test":"tsc -p . && node out/read.js"},
             "devDependencies":{"typescript":"5.9.3","@types/node":"20.19.43"}}
            """;
    private static final String TSCONFIG = """
            {"compilerOptions":{"outDir":"out","rootDir":".","module":"nodenext","target":"es2022","strict":true,"types":["node"]},
             "include":["read.ts"]}
            """;

    private final LocalStack stack;
    private final Account account;
    private String id = "";

    @TempDir
    private Path folder;

    GeneratedClientsIT(LocalStack stack) {
        this.stack = stack;
        this.account = Account.create(stack);
    }

    @BeforeEach
    void receive() throws Exception {
        URI document = URI.create("http://127.0.0.1:" + stack.settings().port(Port.HTTP) + "/openapi");
        try (InputStream served = document.toURL().openStream()) {
            Files.copy(served, folder.resolve("openapi.yaml"));
        }
        Address address = account.client().createAddress();
        id = address.id();
        assertThat(SmtpClient.deliver(
                        stack.settings().port(Port.SMTP),
                        address.address(),
                        MAIL.getBytes(StandardCharsets.ISO_8859_1)))
                .startsWith("250");
        account.client().awaitEmail(address, Duration.ofMinutes(2));
    }

    @Test
    void theJavaClientCompilesAndReadsTheBytes() throws Exception {
        generate(
                "java",
                "library=native,openApiNullable=false,hideGenerationTimestamp=true,"
                        + "invokerPackage=dev.oneshot.generated,apiPackage=dev.oneshot.generated,"
                        + "modelPackage=dev.oneshot.generated.model");
        Files.writeString(folder.resolve("Read.java"), JAVA);
        Files.writeString(folder.resolve("Generated.java"), ANNOTATION);
        List<String> compile = new ArrayList<>(List.of(
                java("javac"), "-nowarn", "-proc:none", "-cp", GENERATOR, "-d", "out", "Read.java", "Generated.java"));
        try (Stream<Path> sources = Files.walk(folder.resolve("src/main/java"))) {
            sources.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(compile::add);
        }
        run(compile);

        assertThatItReadsTheBytes(java("java"), "-cp", "out" + File.pathSeparator + GENERATOR, "Read");
    }

    @Test
    void thePythonClientReadsTheBytes() throws Exception {
        String needed =
                "import sys, pydantic, dateutil, urllib3; assert sys.version_info >= (3, 9) and pydantic.VERSION >= '2'";
        require("the Python client of openapi-generator", List.of("python3", "-c", needed));
        generate("python", "packageName=openapi_client");
        Files.writeString(folder.resolve("read.py"), PYTHON);

        assertThatItReadsTheBytes("python3", "read.py");
    }

    @Test
    void theTypeScriptClientCompilesAndReadsTheBytes() throws Exception {
        Files.writeString(folder.resolve("package.json"), PACKAGE);
        new NodeProject("the TypeScript client of openapi-generator", folder).install();
        generate("typescript-fetch", "importFileExtension=.js");
        Files.writeString(folder.resolve("tsconfig.json"), TSCONFIG);
        Files.writeString(folder.resolve("read.ts"), TYPESCRIPT);
        run(List.of("node_modules/.bin/tsc", "-p", "."));

        assertThatItReadsTheBytes("node", "out/read.js");
    }

    @Test
    void theGoClientCompilesAndReadsTheBytes() throws Exception {
        require("the Go client of openapi-generator", List.of("go", "version"));
        generate("go", "packageName=generated");
        Files.writeString(Files.createDirectory(folder.resolve("read")).resolve("main.go"), GO);
        // It needs nothing but Go's standard library.
        run(List.of("env", "GOPROXY=off", "GOTOOLCHAIN=local", "go", "build", "-mod=mod", "-o", "out/read", "./read"));

        assertThatItReadsTheBytes("out/read");
    }

    private void generate(String language, String properties) throws Exception {
        run(
                List.of(
                        java("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        GENERATOR,
                        "generate",
                        "--input-spec=openapi.yaml",
                        "--output=.",
                        "--generator-name=" + language,
                        "--additional-properties=" + properties,
                        "--global-property=apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"));
    }

    private static String java(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program).toString();
    }

    private void assertThatItReadsTheBytes(String... program) throws Exception {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(account.baseUrl(), account.key(), id));

        // A character of the output is a byte.
        assertThat(run(command)).endsWith("\r\n\r\n" + BODY + "\r\n");
    }

    /** Runs a command in the folder, and returns its output. */
    private String run(List<String> command) throws Exception {
        Program.Result result = Program.run(folder, Map.of(), Duration.ofMinutes(5), command);
        assertThat(result.exitCode()).as(result.all()).isZero();
        return result.out();
    }

    /** Skips the test and prints a line if the command fails. */
    private void require(String name, List<String> command) throws Exception {
        String why;
        try {
            Program.Result result = Program.run(folder, Map.of(), Duration.ofMinutes(1), command);
            if (result.exitCode() == 0) {
                return;
            }
            why = result.err().strip();
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        }
        String line = "########## NOT TESTED: " + name + ": " + why.replaceAll("\\s+", " ") + " ##########";
        System.out.println("oneshot: " + line);
        abort(line);
    }
}
