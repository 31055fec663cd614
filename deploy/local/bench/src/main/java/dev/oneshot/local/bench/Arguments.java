package dev.oneshot.local.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code ./oneshot bench}: names of benchmarks, then options as {@code --name value} or
 * {@code --name=value}.
 *
 * @param benchmarks in the order in which they run, never empty
 */
record Arguments(List<Benchmark> benchmarks, Settings settings) {

    private static final int KIBIBYTE = 1024;
    private static final int SECONDS_MAX = 3600;
    private static final int SIZE_MAX = 32 * KIBIBYTE * KIBIBYTE;

    /** What can be asked for besides benchmarks: the default, and what it means. */
    private enum Option {
        SECONDS("3", "seconds of each single measurement"),
        SUSTAIN("10", "seconds of the measurements at a fixed rate"),
        CONNECTIONS("20,100", "numbers of connections; the first is the usual one"),
        SIZES("2K,10K,100K,5M", "sizes of messages"),
        ROWS("200000", "mails that expire, of 10 KB"),
        ACCOUNTS("50", "accounts that share the load on the API"),
        FULL("false", "every size with every number of connections and every mode"),
        DURABLE("true", "PostgreSQL syncs to the disk at each commit"),
        HEAP("own", "-Xmx of each service; own: what each has in the local stack");

        private final String byDefault;
        private final String purpose;

        Option(String byDefault, String purpose) {
            this.byDefault = byDefault;
            this.purpose = purpose;
        }

        String flag() {
            return "--" + name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads a command line.
     *
     * @throws UsageException if it cannot be understood; the message says which word
     */
    static Arguments parse(List<String> words) {
        List<Benchmark> benchmarks = new ArrayList<>();
        Map<Option, String> values = new LinkedHashMap<>();
        List<String> rest = new ArrayList<>(words);
        while (!rest.isEmpty()) {
            String word = rest.removeFirst();
            if (word.startsWith("--")) {
                int equals = word.indexOf('=');
                Option option = option(equals < 0 ? word : word.substring(0, equals));
                values.put(option, equals < 0 ? next(option, rest) : word.substring(equals + 1));
            } else if (word.equals("all")) {
                benchmarks.addAll(List.of(Benchmark.values()));
            } else {
                benchmarks.add(benchmark(word));
            }
        }
        if (benchmarks.isEmpty()) {
            benchmarks.addAll(List.of(Benchmark.values()));
        }
        return new Arguments(benchmarks.stream().distinct().toList(), settings(values));
    }

    /** What {@code --help} prints. */
    static String help() {
        StringBuilder text = new StringBuilder("usage: ./oneshot bench [BENCHMARK…] [--OPTION VALUE…]\n\n");
        for (Benchmark benchmark : Benchmark.values()) {
            text.append("  %-16s %s%n".formatted(benchmark.word(), benchmark.purpose()));
        }
        text.append("  %-16s %s%n%n".formatted("all", "all of them, which is also what happens without a name"));
        for (Option option : Option.values()) {
            text.append("  %-16s %s (%s)%n".formatted(option.flag(), option.purpose, option.byDefault));
        }
        return text.append("""

                Each run starts a stack of its own on free ports and removes it at the end. Tables go to the terminal,
                and everything to a JSON file under .oneshot/bench/. Compare ratios within one run, not runs.
                """).toString();
    }

    private static String next(Option option, List<String> rest) {
        if (option == Option.FULL && (rest.isEmpty() || rest.getFirst().startsWith("--"))) {
            return "true";
        }
        if (rest.isEmpty()) {
            throw new UsageException(option.flag() + " needs a value");
        }
        return rest.removeFirst();
    }

    private static Option option(String flag) {
        return Arrays.stream(Option.values())
                .filter(option -> option.flag().equals(flag))
                .findAny()
                .orElseThrow(() -> new UsageException("no such option: " + flag));
    }

    private static Benchmark benchmark(String word) {
        return Arrays.stream(Benchmark.values())
                .filter(benchmark -> benchmark.word().equals(word))
                .findAny()
                .orElseThrow(() -> new UsageException("no such benchmark: " + word));
    }

    private static Settings settings(Map<Option, String> values) {
        Map<Option, String> all = new LinkedHashMap<>();
        for (Option option : Option.values()) {
            all.put(option, values.getOrDefault(option, option.byDefault));
        }
        return new Settings(
                Duration.ofSeconds(number(all, Option.SECONDS, 1, SECONDS_MAX)),
                Duration.ofSeconds(number(all, Option.SUSTAIN, 1, SECONDS_MAX)),
                list(all, Option.CONNECTIONS, 1, 1000),
                list(all, Option.SIZES, 512, SIZE_MAX),
                number(all, Option.ROWS, 1000, 10_000_000),
                number(all, Option.ACCOUNTS, 1, 10_000),
                flag(all, Option.FULL),
                flag(all, Option.DURABLE),
                heap(all.getOrDefault(Option.HEAP, "")));
    }

    private static int number(Map<Option, String> values, Option option, int min, int max) {
        return number(option, values.getOrDefault(option, ""), min, max);
    }

    private static List<Integer> list(Map<Option, String> values, Option option, int min, int max) {
        return Arrays.stream(values.getOrDefault(option, "").split(",", -1))
                .map(value -> number(option, value.strip(), min, max))
                .toList();
    }

    private static int number(Option option, String value, int min, int max) {
        if (value.matches("[0-9]{1,9}[KkMm]?")) {
            long unit = switch (Character.toUpperCase(value.charAt(value.length() - 1))) {
                case 'K' -> KIBIBYTE;
                case 'M' -> KIBIBYTE * KIBIBYTE;
                default -> 1;
            };
            String digits = unit == 1 ? value : value.substring(0, value.length() - 1);
            long number = Long.parseLong(digits) * unit;
            if (number >= min && number <= max) {
                return (int) number;
            }
        }
        throw new UsageException(option.flag() + " must be between " + min + " and " + max + ", not " + value);
    }

    private static boolean flag(Map<Option, String> values, Option option) {
        return switch (values.getOrDefault(option, "")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new UsageException(option.flag() + " must be true or false");
        };
    }

    private static @Nullable String heap(String value) {
        if (value.equals("own")) {
            return null;
        }
        if (!value.matches("[1-9][0-9]{0,5}[mg]")) {
            throw new UsageException(Option.HEAP.flag() + " must be a size as in 512m or 1g, not " + value);
        }
        return value;
    }
}
