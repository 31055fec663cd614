package dev.oneshot.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class ConsoleRoutesTest {

    private static final Path SOURCES = Path.of("../console/src");
    private static final int FIRST_VIEW_BYTES_MAX = 60 * 1024;

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> SOURCES.relativize(file).toString())
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyFileIsServedWithoutAKey(String name) throws Exception {
        HttpResponse<byte[]> response = RawHttp.send(RawHttp.to(pathOf(name)).GET());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(Files.readAllBytes(SOURCES.resolve(name)));
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(response.headers().firstValue("X-Request-Id")).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "/console/, text/html;charset=UTF-8",
        "/console/console.js, text/javascript;charset=UTF-8",
        "/console/console.css, text/css;charset=UTF-8",
        "/console/icon.svg, image/svg+xml"
    })
    void filesHaveTheirTypes(String path, String type) throws Exception {
        assertThat(RawHttp.send(RawHttp.to(path).GET()).headers().allValues("Content-Type"))
                .containsExactly(type);
    }

    @Test
    void thePageMayUseItselfOnly() throws Exception {
        assertThat(policyOf("/console/"))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'")
                .noneMatch(directive -> directive.contains("unsafe") || directive.contains("http"));
    }

    @Test
    void theFrameOfAnEmailHasAnOriginOfItsOwnAndRequestsNothingButImages() throws Exception {
        for (String path : new String[] {"/console/frame.html", "/console/frame.js"}) {
            assertThat(policyOf(path))
                    .contains("sandbox allow-scripts", "default-src 'none'", "frame-ancestors 'self'")
                    .doesNotContain("connect-src 'self'")
                    .filteredOn(directive -> directive.contains("http"))
                    .containsExactly("img-src data: https: http:");
        }
    }

    @Test
    void thePathWithoutASlashLeadsToThePage() throws Exception {
        HttpResponse<byte[]> response = RawHttp.send(RawHttp.to("/console").GET());

        assertThat(response.statusCode()).isEqualTo(308);
        assertThat(response.headers().firstValue("Location")).contains("console/");
    }

    @Test
    void whatTheBrowserHasIsNotSentAgain() throws Exception {
        String etag = RawHttp.send(RawHttp.to("/console/console.js").GET())
                .headers()
                .firstValue("ETag")
                .orElseThrow();

        HttpResponse<byte[]> unchanged = RawHttp.send(
                RawHttp.to("/console/console.js").header("If-None-Match", etag).GET());

        assertThat(etag).startsWith("W/\"");
        assertThat(unchanged.statusCode()).isEqualTo(304);
        assertThat(unchanged.body()).isEmpty();
        assertThat(unchanged.headers().firstValue("Content-Security-Policy")).isPresent();
    }

    @Test
    void allFilesTogetherAreSmall() throws Exception {
        int bytes = 0;
        for (String name : names()) {
            HttpResponse<byte[]> response = RawHttp.send(
                    RawHttp.to(pathOf(name)).header("Accept-Encoding", "gzip").GET());

            assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
            assertThat(decompressed(response.body())).isEqualTo(Files.readAllBytes(SOURCES.resolve(name)));
            bytes += response.body().length;
        }

        assertThat(bytes).isLessThan(FIRST_VIEW_BYTES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console", "/console/", "/console/console.js"})
    void otherMethodsAreNotAllowedAndOptionsTellsWhichAre(String path) throws Exception {
        HttpResponse<byte[]> refused = RawHttp.send(RawHttp.to(path).POST(BodyPublishers.ofString("{}")));
        HttpResponse<byte[]> options = RawHttp.send(RawHttp.to(path).method("OPTIONS", BodyPublishers.noBody()));

        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(new String(refused.body(), UTF_8)).contains("\"METHOD_NOT_ALLOWED\"");
        assertThat(options.statusCode()).isEqualTo(204);
        assertThat(options.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/consoles",
                "/console/nothing.js",
                "/console/index.html/",
                "/console/../v1/account",
                "/console/%2e%2e/v1/account",
                "/console//",
                "/console/client",
                "/console/client/",
                "/CONSOLE/"
            })
    void otherPathsNeedAKeyAsBefore(String path) throws Exception {
        HttpResponse<byte[]> response = RawHttp.send(RawHttp.to(path).GET());

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("Content-Security-Policy")).isEmpty();
    }

    private static List<String> policyOf(String path) throws Exception {
        return List.of(RawHttp.send(RawHttp.to(path).GET())
                .headers()
                .firstValue("Content-Security-Policy")
                .orElseThrow()
                .split("; ", -1));
    }

    private static String pathOf(String name) {
        return "/console/" + (name.equals("index.html") ? "" : name);
    }

    private static byte[] decompressed(byte[] body) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return in.readAllBytes();
        }
    }
}
