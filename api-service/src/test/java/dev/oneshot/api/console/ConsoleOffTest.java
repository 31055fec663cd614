package dev.oneshot.api.console;

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
    void itsPathsAreLikeAnyOther(String path) {
        RawHttp.send("GET", path).has(401);
    }
}
