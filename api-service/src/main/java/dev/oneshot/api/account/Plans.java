package dev.oneshot.api.account;

import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The plans that are offered. An impossible value stops the start and names its key. */
@Startup
@ApplicationScoped
public class Plans {

    private static final Duration TTL_MIN = Duration.ofMinutes(1);
    private static final Duration TTL_MAX = Duration.ofDays(1);

    private final Map<String, Plan> plans = new TreeMap<>();

    /**
     * The plans on offer. A plan exists if the configuration names it, so the default plans are in
     * {@code application.properties}. To add a plan, set all of its values.
     */
    @ConfigMapping(prefix = "oneshot")
    public interface Config {

        /** The plans by name, as accounts carry it. */
        Map<String, Limits> plans();

        /** The pricing page that a 402 points to. */
        @WithDefault("https://oneshot.example/pricing")
        URI upgradeUrl();

        interface Limits {

            /** How many addresses a billing cycle includes. */
            long addressesPerMonth();

            /** The longest {@code ttl_seconds}: a minute to a day, in whole seconds. */
            Duration maxTtl();

            /** The largest mail: a power of two from 64K to 64M, because the address id encodes it. */
            MemorySize maxEmail();

            /**
             * The largest attachment, decoded: a multiple of a sixteenth of {@link #maxEmail()}, because the address id
             * encodes it.
             */
            MemorySize maxAttachment();

            /** Requests a second in the long run, at least 1. */
            int requestsPerSecond();

            /** Requests at once after a pause, at least 1. */
            int burst();
        }
    }

    Plans(Config config) {
        config.plans().forEach((name, limits) -> plans.put(name, plan(name, limits)));
        ValidSetting.require(!plans.isEmpty(), "oneshot.plans must name at least one plan");
    }

    /** The plan of this name, if it is offered. */
    public Optional<Plan> find(String name) {
        return Optional.ofNullable(plans.get(name));
    }

    /**
     * The plan of an account.
     *
     * @throws IllegalStateException if it is no longer configured
     */
    public Plan of(Account account) {
        return find(account.plan())
                .orElseThrow(
                        () -> new IllegalStateException("account %s has the plan %s, which oneshot.plans does not name"
                                .formatted(account.id(), account.plan())));
    }

    /** The names of all plans, in alphabetical order. */
    public String names() {
        return String.join(", ", plans.keySet());
    }

    private static Plan plan(String name, Config.Limits limits) {
        String key = "oneshot.plans." + name + ".";
        ValidSetting.atLeast(key + "addresses-per-month", limits.addressesPerMonth(), 0L);
        Duration ttl = limits.maxTtl();
        ValidSetting.between(key + "max-ttl", ttl, TTL_MIN, TTL_MAX);
        ValidSetting.require(ttl.toNanosPart() == 0, key + "max-ttl must be whole seconds, not " + ttl);
        ValidSetting.atLeast(key + "requests-per-second", limits.requestsPerSecond(), 1);
        ValidSetting.atLeast(key + "burst", limits.burst(), 1);
        return new Plan(
                name,
                limits.addressesPerMonth(),
                (int) ttl.toSeconds(),
                sizeClass(key, limits),
                limits.requestsPerSecond(),
                limits.burst());
    }

    private static SizeClass sizeClass(String key, Config.Limits limits) {
        SizeClass email = ValidSetting.made(
                key + "max-email",
                () -> SizeClass.ofMessageBytesMax(limits.maxEmail().asLongValue()));
        return ValidSetting.made(
                key + "max-attachment",
                () -> email.withAttachmentBytesMax(limits.maxAttachment().asLongValue()));
    }
}
