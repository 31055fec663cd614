package dev.oneshot.api.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oneshot.api.account.SampleKeys;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.signing.SigningKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;

class CursorCodecTest {

    private static final SigningKey OLD = SampleKeys.signingKey(1);
    private static final SigningKey NEW = SampleKeys.signingKey(2);
    private static final long MICROS_MAX = 4_000_000_000_000_000L;

    private final CursorCodec codec = new CursorCodec(List.of(NEW, OLD));

    private static Position position(long micros, String id) {
        return new Position(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), id);
    }

    @Property
    void positionComesBackAsItWent(
            @ForAll @LongRange(max = MICROS_MAX) long micros,
            @ForAll @AlphaChars @StringLength(min = 1, max = 64) String id,
            @ForAll String scope) {
        Position position = position(micros, id);

        assertThat(codec.decode(codec.encode(position, scope), scope)).isEqualTo(position);
    }

    @Property
    void anyOtherCharacterAnywhereIsRefused(
            @ForAll @LongRange(max = MICROS_MAX) long micros,
            @ForAll @AlphaChars @StringLength(min = 1, max = 36) String id,
            @ForAll @IntRange(max = 60) int at,
            @ForAll char other) {
        String cursor = codec.encode(position(micros, id), "scope");
        int place = at % cursor.length();
        if (cursor.charAt(place) == other) {
            return;
        }
        String altered = cursor.substring(0, place) + other + cursor.substring(place + 1);

        assertRefused(altered, "scope");
    }

    @Property
    void cursorOfOneScopeIsRefusedInAnother(@ForAll String scope, @ForAll String other) {
        if (!scope.equals(other)
                && !new String(scope.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
                        .equals(new String(other.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))) {
            assertRefused(codec.encode(position(1, "id"), scope), other);
        }
    }

    @Property
    void whateverIsNoCursorIsRefused(@ForAll String nonsense) {
        assertRefused(nonsense, "scope");
    }

    @Property(tries = 20)
    void cursorOfTheFormerKeyIsStillReadAndOfAnUnknownOneIsNot(@ForAll @LongRange(max = MICROS_MAX) long micros) {
        Position position = position(micros, "id");
        String cursor = new CursorCodec(List.of(OLD)).encode(position, "scope");

        assertThat(codec.decode(cursor, "scope")).isEqualTo(position);
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> new CursorCodec(List.of(NEW)).decode(cursor, "scope"));
    }

    private void assertRefused(String cursor, String scope) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> codec.decode(cursor, scope))
                .satisfies(refused -> assertThat(refused.kind().status()).isEqualTo(400));
    }
}
