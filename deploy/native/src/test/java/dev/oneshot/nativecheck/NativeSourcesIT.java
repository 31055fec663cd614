package dev.oneshot.nativecheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;

class NativeSourcesIT {

    private static final String API = "api-service";
    private static final String MAPPER = "com.fasterxml.jackson.databind.ObjectMapper";
    private static final List<String> MODULES = List.of(
            "contracts",
            "message",
            "authentication",
            API,
            "smtp-ingest-service",
            "outbound-mailer-service",
            "expiry-service");

    @ParameterizedTest
    @ValueSource(strings = {API, "smtp-ingest-service", "outbound-mailer-service", "expiry-service"})
    void eventsAreRegisteredInEveryServiceAndNothingElseOfTheContracts(String service) throws IOException {
        Set<String> touched = JacksonTypes.reachableFrom(JacksonTypes.ofEvents(Bytecode.of("contracts")));

        Set<String> registered = NativeSources.of(service).registered();

        assertThat(touched)
                .contains("dev.oneshot.contracts.event.MailRequested$Attachment", "dev.oneshot.message.Leaf");
        assertThat(registered).containsAll(touched);
        assertThat(registered)
                .filteredOn(type -> type.startsWith("dev.oneshot.message.")
                        || (type.startsWith("dev.oneshot.contracts.") && !type.endsWith(".Octets")))
                .isSubsetOf(touched);
    }

    @Test
    void bodiesOfTheApiAreRegistered() throws IOException {
        Bytecode api = Bytecode.of(API);
        Set<Class<?>> given = new HashSet<>(JacksonTypes.ofResources(api));
        given.addAll(JacksonTypes.ofRoutes(api));
        Set<String> touched = JacksonTypes.reachableFrom(given);

        Set<String> registered = NativeSources.of(API).registered();

        assertThat(touched)
                .contains(
                        "dev.oneshot.api.address.CreateAddress",
                        "dev.oneshot.api.sending.Base64Octets$Deserializer",
                        "dev.oneshot.api.inbox.EmailView$AttachmentView",
                        "dev.oneshot.api.quota.Credits$Added",
                        "dev.oneshot.api.operator.OperatorGrants$GiveCredits",
                        "dev.oneshot.api.sending.Settlements$Row",
                        "dev.oneshot.api.error.ApiException$Body$Detail");
        assertThat(registered).containsAll(touched);
    }

    @Test
    void onlyTheseHandSomethingToJackson() throws IOException {
        Set<String> callers = new TreeSet<>();
        for (String module : MODULES) {
            Bytecode code = Bytecode.of(module);
            callers.addAll(code.callersOf(MAPPER, "write"));
            callers.addAll(code.callersOf(MAPPER, "read"));
            callers.addAll(code.callersOf(MAPPER, "convert"));
            callers.addAll(code.callersOf("com.fasterxml.jackson.databind.ObjectReader", "read"));
            callers.addAll(code.callersOf("com.fasterxml.jackson.databind.ObjectWriter", "write"));
            callers.addAll(code.callersOf("io.vertx.core.json.Json", "encode"));
            callers.addAll(code.callersOf("io.vertx.core.json.Json", "decode"));
        }

        // JacksonTypes must know every caller, or the test above misses types.
        assertThat(callers)
                .containsExactlyInAnyOrder(
                        "dev.oneshot.contracts.event.EventCodec",
                        "dev.oneshot.api.http.ErrorResponses",
                        "dev.oneshot.api.body.StrictJson",
                        "dev.oneshot.api.idempotency.Idempotency",
                        "dev.oneshot.api.operator.OperatorRoutes");
    }

    @ParameterizedTest
    @ValueSource(strings = {API, "smtp-ingest-service"})
    void servicesThatDecodeMailKnowEveryCharset(String service) throws IOException {
        assertThat(NativeSources.of(service).arguments()).contains("-H:+AddAllCharsets");
    }

    @ParameterizedTest
    @ValueSource(strings = {API, "smtp-ingest-service"})
    void libraryThatCompressesMailIsInServicesThatNeedIt(String service) throws IOException {
        assertThat(NativeSources.of(service).resourceGlobs("")).contains("linux/*/libzstd-jni-*.so");
    }

    @Test
    void migrationsAreInTheApi() throws IOException {
        Set<String> patterns = NativeSources.of(API).resourcePatterns();

        List<String> migrations = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("../../contracts/src/main/resources/db/migration"))) {
            files.forEach(file -> migrations.add("\\Qdb/migration/" + file.getFileName() + "\\E"));
        }
        assertThat(migrations).isNotEmpty();
        assertThat(patterns).containsAll(migrations);
        // A resource that the extension adds in native builds only.
        assertThat(patterns).contains("\\QMETA-INF/services/org.flywaydb.core.extensibility.Plugin\\E");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev/oneshot/api/openapi/openapi.json",
                "dev/oneshot/api/openapi/openapi.yaml",
                "dev/oneshot/api/operator/openapi.json",
                "dev/oneshot/api/console/files/index.html",
                "dev/oneshot/api/console/files/client/client.js",
                "META-INF/services/io.netty.bootstrap.ChannelInitializerExtension"
            })
    void filesThatTheApiReadsAreInIt(String file) throws IOException {
        assertThat(Path.of("../../api-service/target/classes", file)).exists();
        assertThat(NativeSources.of(API).resourcePatterns()).anyMatch(file::matches);
    }

    @Test
    void whatNettyFindsAsAServiceIsRegisteredAndWantedInTheApi() throws IOException {
        assertThat(NativeSources.of(API).registered()).contains("dev.oneshot.api.connection.LimitedConnections");
        assertThat(NativeSources.of(API).arguments()).contains("-J-Dio.netty.bootstrap.extensions=serviceload");
    }

    @ParameterizedTest
    @ValueSource(strings = {API, "smtp-ingest-service", "outbound-mailer-service"})
    void tablesOfInternationalisedNamesAreInServicesThatAskForThem(String service) throws IOException {
        Set<String> globs = NativeSources.of(service).resourceGlobs("java.base");

        assertThat(Bytecode.of("message").callersOf("java.net.IDN", "toASCII")).isNotEmpty();
        assertThat(globs).isNotEmpty();
        try (FileSystem jdk = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of());
                Stream<Path> files = Files.walk(jdk.getPath("/modules/java.base"))) {
            List<String> tables = files.filter(Files::isRegularFile)
                    .map(file -> jdk.getPath("/modules/java.base").relativize(file))
                    .filter(file -> globs.stream().anyMatch(glob -> matches(jdk, glob, file)))
                    .map(Path::toString)
                    .toList();
            assertThat(tables)
                    .anyMatch(table -> table.endsWith("uidna.spp"))
                    .anyMatch(table -> table.endsWith("nfc.nrm"))
                    .anyMatch(table -> table.endsWith("uprops.icu"))
                    .anyMatch(table -> table.endsWith("ubidi.icu"));
        }
    }

    /** Classes are initialised at build time: such values would be the same in each process, or rejected. */
    @Test
    void nothingStaticIsAliveOrRandom() throws IOException {
        List<String> found = new ArrayList<>();
        for (String module : MODULES) {
            for (ClassNode type : Bytecode.of(module).classes()) {
                for (FieldNode field : type.fields) {
                    if ((field.access & Opcodes.ACC_STATIC) != 0 && isAliveOrRandom(Type.getType(field.desc))) {
                        found.add(type.name + "." + field.name);
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static boolean matches(FileSystem files, String glob, Path path) {
        return files.getPathMatcher("glob:" + glob).matches(path);
    }

    private static boolean isAliveOrRandom(Type field) {
        if (field.getSort() != Type.OBJECT) {
            return false;
        }
        try {
            Class<?> type = Class.forName(field.getClassName(), false, NativeSourcesIT.class.getClassLoader());
            return Stream.of(Random.class, Thread.class, ExecutorService.class)
                    .anyMatch(refused -> refused.isAssignableFrom(type));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
