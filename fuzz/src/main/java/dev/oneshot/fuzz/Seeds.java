package dev.oneshot.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Inputs to begin with: the fixtures of the modules, and the public messages if they lie beside the project. */
final class Seeds {

    private static final String MESSAGES = "message/src/test/resources/dev/oneshot/message/fixtures";
    private static final String DIALOGUES = "smtp-ingest-service/src/test/resources/transcripts";
    private static final String CORPUS = "../shared/corpus";

    private final Path project;

    /** The seeds of the source tree at {@code project}. */
    Seeds(Path project) {
        this.project = project;
    }

    /** The files that a target begins with, sorted. */
    List<Path> files(Target target) throws IOException {
        return switch (target) {
            case PARSER ->
                Stream.concat(
                                files(project.resolve(MESSAGES), ".eml").stream(),
                                files(project.resolve(CORPUS), ".eml").stream())
                        .toList();
            case SESSION -> files(project.resolve(DIALOGUES), ".smtp");
        };
    }

    /** What a seed's file is as an input. */
    static byte[] input(Target target, Path file) throws IOException {
        return switch (target) {
            case PARSER -> Files.readAllBytes(file);
            case SESSION -> ClientOctets.of(Files.readAllLines(file));
        };
    }

    private static List<Path> files(Path folder, String extension) throws IOException {
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(extension))
                    .sorted()
                    .toList();
        }
    }
}
