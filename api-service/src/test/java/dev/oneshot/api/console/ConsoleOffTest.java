package dev.oneshot.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
@TestProfile(ConsoleOffTest.Off.class)
class ConsoleOffTest {

    @ParameterizedTest
    @ValueSource(strings = {"/console", "/console/", "/console/console.js"})
    void itsPathsAreLikeAnyOther(String path) throws Exception {
        assertThat(RawHttp.send(RawHttp.to(path).GET()).statusCode()).isEqualTo(401);
    }

    public static final class Off implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("oneshot.console.enabled", "false");
        }
    }
}
