package dev.oneshot.local.chaos;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.stack.ReplicatedStack;
import dev.oneshot.local.stack.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What happens to a replicated stack under load. Each ends with all parts running again. */
public enum Fault {
    /** Nothing, for comparison. */
    NONE {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            pause(lasting);
        }
    },
    /** A broker is killed that does not lead the first partition of {@code mail.inbound}. */
    BROKER_KILLED {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            kill(stack, List.of(follower(stack)), lasting);
        }
    },
    /** The leader of the first partition of {@code mail.inbound} is killed. */
    LEADER_KILLED {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            kill(stack, List.of(leader(stack)), lasting);
        }
    },
    /** A broker does not run for some time, with its connections open. */
    BROKER_FROZEN {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            freeze(stack, leader(stack), lasting);
        }
    },
    /** Too few brokers are left to acknowledge a record. */
    TWO_BROKERS_KILLED {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            kill(stack, ReplicatedStack.brokers().subList(0, 2), lasting);
        }
    },
    /** An api-service is killed. */
    API_KILLED {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            kill(stack, List.of(first(Service.API)), lasting);
        }
    },
    /** An api-service does not run for some time, with its connections open. */
    API_FROZEN {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            freeze(stack, first(Service.API), lasting);
        }
    },
    /** An ingest node is killed. */
    INGEST_KILLED {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            kill(stack, List.of(first(Service.INGEST)), lasting);
        }
    },
    /** A mailer is killed while it sends mails. */
    MAILER_KILLED {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            kill(stack, List.of(first(Service.MAILER)), lasting);
        }
    },
    /** The primary of PostgreSQL is killed, and its standby promoted. */
    POSTGRES_KILLED {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            stack.killPostgres();
            stack.promoteStandby();
            pause(lasting);
            stack.startStandby();
        }
    },
    /** No byte passes between ingest and Kafka, and no connection ends. */
    KAFKA_CUT {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            stack.cutKafka();
            try {
                pause(lasting);
            } finally {
                stack.mendKafka();
            }
        }
    },
    /** Each service, each broker and PostgreSQL restart, one after the other. */
    ROLLING_RESTART {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            List<String> parts = Stream.concat(
                            Stream.of(Service.values()).flatMap(service -> ReplicatedStack.labels(service).stream()),
                            ReplicatedStack.brokers().stream())
                    .toList();
            for (String part : parts) {
                stack.stop(part);
                stack.startAgain(part);
            }
            stack.restartPostgres();
        }
    },
    /** Each service has one replica, then three, then one again. */
    SCALED {
        @Override
        void happen(ReplicatedStack stack, Duration lasting) throws Exception {
            List<String> second = Stream.of(Service.values())
                    .map(service -> ReplicatedStack.labels(service).getLast())
                    .toList();
            List<String> third =
                    Stream.of(Service.values()).map(ReplicatedStack::spare).toList();
            stopAll(stack, second);
            second.forEach(stack::startAgain);
            third.forEach(stack::startAgain);
            pause(lasting);
            stopAll(stack, Stream.concat(second.stream(), third.stream()).toList());
            pause(lasting);
            second.forEach(stack::startAgain);
        }
    };

    /**
     * Makes it happen, and undoes it.
     *
     * @param lasting how long parts are away
     */
    abstract void happen(ReplicatedStack stack, Duration lasting) throws Exception;

    /** The fault of a name as {@code --fault} takes it, as in {@code broker-killed}. */
    static Fault named(String word) {
        return Stream.of(values())
                .filter(fault -> fault.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such fault: " + word + "; there are "
                        + String.join(", ", Stream.of(values()).map(Fault::word).toList())));
    }

    /** The longest time for which there is mail to send; starts of many parts take longer. */
    int secondsMax(Duration lasting) {
        return this == ROLLING_RESTART || this == SCALED ? 180 : 25 + Math.toIntExact(lasting.toSeconds());
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void kill(ReplicatedStack stack, List<String> parts, Duration lasting) throws Exception {
        parts.forEach(stack::kill);
        pause(lasting);
        // At once: two brokers need each other to be ready.
        parts.parallelStream().forEach(stack::startAgain);
    }

    private static void stopAll(ReplicatedStack stack, List<String> parts) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Void>> stops = new ArrayList<>();
            for (String part : parts) {
                stops.add(() -> {
                    stack.stop(part);
                    return null;
                });
            }
            for (Future<Void> stop : threads.invokeAll(stops)) {
                stop.get();
            }
        }
    }

    private static void freeze(ReplicatedStack stack, String part, Duration lasting) throws Exception {
        stack.freeze(part);
        try {
            pause(lasting);
        } finally {
            stack.thaw(part);
        }
    }

    private static void pause(Duration lasting) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(lasting.toNanos());
    }

    private static String first(Service service) {
        return ReplicatedStack.labels(service).getFirst();
    }

    private static String leader(ReplicatedStack stack) throws Exception {
        return stack.leader(Topic.MAIL_INBOUND.topicName());
    }

    private static String follower(ReplicatedStack stack) throws Exception {
        String leader = leader(stack);
        return ReplicatedStack.brokers().stream()
                .filter(broker -> !broker.equals(leader))
                .findFirst()
                .orElseThrow();
    }
}
