package dev.oneshot.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class ConsoleRoutesTest {

    private static final Path SOURCES = Path.of("../console/src");
    private static final int FIRST_VIEW_BYTES_MAX = 60 * 1024;
    private static final Pattern IMPORT =
            Pattern.compile("^(?:import|export)[^;]* from \"([^\"]+)\";", Pattern.MULTILINE);

    static final List<String> NAMES = ConsoleFile.NAMES;

    @Test
    void namesAreThoseOfTheFolder() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<String> names = files.filter(Files::isRegularFile)
                    .map(file -> SOURCES.relativize(file).toString())
                    .toList();

            assertThat(names).containsExactlyInAnyOrderElementsOf(NAMES);
        }
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void everyFileIsServedWithoutAKey(String name) throws IOException {
        RawResponse response = RawHttp.send("GET", pathOf(name))
                .has(200, "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer");

        assertThat(response.body()).isEqualTo(Files.readAllBytes(SOURCES.resolve(name)));
        assertThat(response.only("X-Request-Id")).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({
        "/console/, text/html;charset=UTF-8",
        "/console/console.js, text/javascript;charset=UTF-8",
        "/console/console.css, text/css;charset=UTF-8",
        "/console/email.css, text/css;charset=UTF-8",
        "/console/icon.svg, image/svg+xml"
    })
    void filesHaveTheirTypes(String path, String type) {
        assertThat(RawHttp.send("GET", path).only("Content-Type")).isEqualTo(type);
    }

    @Test
    void thePageMayUseItselfOnly() {
        assertThat(policyOf("/console/"))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'")
                .noneMatch(directive -> directive.contains("unsafe") || directive.contains("http"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/console.js", "/console/client/client.js", "/console/console.css"})
    void scriptsAndStylesLoadNothing(String path) {
        assertThat(policyOf(path)).containsExactly("default-src 'none'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/", "/console/frame.html", "/console/size.html", "/console/icon.svg"})
    void documentsHaveNoOpenerAndNoPermissions(String path) {
        RawHttp.send("GET", path)
                .has(
                        200,
                        "Cross-Origin-Opener-Policy: same-origin",
                        "Permissions-Policy: camera=(), geolocation=(), microphone=(), payment=(), usb=()",
                        "X-DNS-Prefetch-Control: off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/frame.html", "/console/frame.js"})
    void theFrameOfAnEmailHasAnOriginOfItsOwnAndRequestsNothingButImages(String path) {
        assertThat(policyOf(path))
                .contains("sandbox allow-scripts", "default-src 'none'", "frame-ancestors 'self'")
                .doesNotContain("connect-src 'self'")
                .filteredOn(directive -> directive.contains("http"))
                .containsExactly("img-src data: https: http:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/size.html", "/console/size.js"})
    void thePageThatMeasuresAnEmailHasAnOriginOfItsOwnAndRequestsNothing(String path) {
        assertThat(policyOf(path))
                .contains("sandbox allow-scripts", "default-src 'none'", "img-src data:", "frame-ancestors 'self'")
                .noneMatch(directive -> directive.contains("http") || directive.startsWith("connect-src"));
    }

    @Test
    void thePathWithoutASlashLeadsToThePage() {
        RawHttp.send("GET", "/console").has(308, "Location: console/");
    }

    @Test
    void whatTheBrowserHasIsNotSentAgain() {
        String etag = RawHttp.send("GET", "/console/console.js").only("ETag");

        RawResponse unchanged = RawHttp.send("GET", "/console/console.js", "If-None-Match: " + etag)
                .has(304);

        assertThat(etag).startsWith("W/\"");
        assertThat(unchanged.body()).isEmpty();
        assertThat(unchanged.only("Content-Security-Policy")).isNotBlank();
    }

    @Test
    void theFilesOfTheFirstViewAreSmall() throws IOException {
        Set<String> names = new TreeSet<>(List.of("index.html", "console.css", "icon.svg"));
        addWithImports(Path.of("console.js"), names);
        // It is loaded with the list of addresses.
        addWithImports(Path.of("shell.js"), names);

        int bytes = 0;
        for (String name : names) {
            bytes += RawHttp.send("GET", pathOf(name), "Accept-Encoding: gzip").body().length;
        }

        assertThat(names).contains("list.js", "client/transport.js").doesNotContain("client/vocabulary.js");
        assertThat(bytes).isLessThan(FIRST_VIEW_BYTES_MAX);
    }

    /** Adds a module and what it imports when it is loaded. */
    private static void addWithImports(Path module, Set<String> names) throws IOException {
        if (names.add(module.toString())) {
            Matcher imports = IMPORT.matcher(Files.readString(SOURCES.resolve(module)));
            while (imports.find()) {
                addWithImports(module.resolveSibling(imports.group(1)).normalize(), names);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console", "/console/", "/console/console.js"})
    void otherMethodsAreNotAllowedAndOptionsTellsWhichAre(String path) {
        RawHttp.send("POST", path, BodyPublishers.ofString("{}"))
                .isError(405, "METHOD_NOT_ALLOWED")
                .has(405, "Allow: GET, HEAD, OPTIONS");
        RawHttp.send("OPTIONS", path).has(204, "Allow: GET, HEAD, OPTIONS");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/console/other-paths.txt", delimiter = '|', quoteCharacter = '`')
    void otherPathsNeedAKeyAsBefore(String path) {
        RawHttp.send("GET", path).has(401).lacks("Content-Security-Policy");
    }

    private static List<String> policyOf(String path) {
        return List.of(RawHttp.send("GET", path).only("Content-Security-Policy").split("; ", -1));
    }

    private static String pathOf(String name) {
        return "/console/" + (name.equals("index.html") ? "" : name);
    }
}
