package dev.oneshot.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.OtherSettings;
import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
@TestProfile(OtherSettings.class)
class ConsoleOffTest {

    @ParameterizedTest
    @ValueSource(strings = {"/console", "/console/", "/console/console.js"})
    void itsPathsAreLikeAnyOther(String path) throws Exception {
        assertThat(RawHttp.send(RawHttp.to(path).GET()).statusCode()).isEqualTo(401);
    }
}
