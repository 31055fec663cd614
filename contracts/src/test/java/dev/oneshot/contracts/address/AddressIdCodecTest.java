package dev.oneshot.contracts.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.signing.SigningKey;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.LowerChars;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressIdCodecTest {

    private static final SigningKey FIRST = key(1);
    private static final SigningKey SECOND = key(2);
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final SizeClass TWO_MEBIBYTES = SizeClass.ofMessageBytesMax(2 * 1024 * 1024);

    private final AddressIdCodec codec = codec(FIRST);

    @Property(tries = 500)
    void whatWasIssuedIsVerifiedWithAllThatItCarries(
            @ForAll @IntRange(max = 10) int sizeCode,
            @ForAll @IntRange(min = 1, max = 16) int attachmentSixteenths,
            @ForAll @LongRange(max = 4_000_000_000L) long secondsAfterEpoch) {
        Instant expiresAt = AddressIdCodec.EPOCH.plusSeconds(secondsAfterEpoch);
        SizeClass sizeClass = new SizeClass(sizeCode, attachmentSixteenths);

        AddressId issued = codec.issue(sizeClass, expiresAt);

        assertThat(issued.text()).matches("[a-z2-7]{24}");
        assertThat(codec.verify(issued.text())).contains(issued);
        assertThat(codec.verify(issued.text().toUpperCase(Locale.ROOT))).contains(issued);
        assertThat(issued.sizeClass()).isEqualTo(sizeClass);
        assertThat(issued.expiresBy()).isEqualTo(expiresAt);
        assertThat(issued.takesMail()).isTrue();
    }

    @Property(tries = 100)
    void anyFlippedBitIsRefused(@ForAll @LongRange(max = 1_000_000_000L) long secondsAfterEpoch) {
        String issued = codec.issue(TWO_MEBIBYTES, AddressIdCodec.EPOCH.plusSeconds(secondsAfterEpoch))
                .text();
        byte[] octets = Base32.decode(issued);
        assertThat(octets).isNotNull();

        for (int bit = 0; bit < octets.length * 8; bit++) {
            byte[] forged = octets.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(codec.verify(Base32.encode(forged))).as("bit %d", bit).isEmpty();
        }
    }

    @Property(tries = 500)
    void verifyingNeverThrows(@ForAll String localPart) {
        assertThat(codec.verify(localPart)).isEmpty();
    }

    @Property(tries = 500)
    void verifyingNeverThrowsForTheRightLength(
            @ForAll @LowerChars @NumericChars @Chars({'\u0131', '\u212A', '='}) @StringLength(24) String localPart) {
        assertThat(codec.verify(localPart)).isEmpty();
    }

    @Test
    void anIdOfARetiredKeyIsVerifiedWhileTheKeyIsListed() {
        String old = codec(FIRST).issue(TWO_MEBIBYTES, NOON).text();

        AddressIdCodec rotated = codec(SECOND, FIRST);

        assertThat(rotated.verify(old)).isPresent();
        assertThat(codec(SECOND).verify(old)).isEmpty();
        assertThat(codec(SECOND).verify(rotated.issue(TWO_MEBIBYTES, NOON).text()))
                .as("the first key signs")
                .isPresent();
    }

    @Test
    void anIdOfAnAddressThatSendsSaysSo() {
        AddressId issued = codec.issueSending(TWO_MEBIBYTES, NOON);

        assertThat(issued.takesMail()).isFalse();
        assertThat(codec.verify(issued.text())).contains(issued);
    }

    @Test
    void theExpiryIsRoundedUpToTheSecond() {
        assertThat(codec.issue(TWO_MEBIBYTES, NOON).expiresBy()).isEqualTo(NOON);
        assertThat(codec.issue(TWO_MEBIBYTES, NOON.plusMillis(1)).expiresBy()).isEqualTo(NOON.plusSeconds(1));
        assertThat(codec.issue(TWO_MEBIBYTES, NOON.plusSeconds(1)).expiresBy()).isEqualTo(NOON.plusSeconds(1));
    }

    @Test
    void anExpiryThatCannotBeCarriedIsRefused() {
        Instant last = AddressIdCodec.EPOCH.plusSeconds(0xFFFF_FFFFL);

        assertThat(codec.issue(TWO_MEBIBYTES, last).expiresBy()).isEqualTo(last);
        assertThat(codec.issue(TWO_MEBIBYTES, AddressIdCodec.EPOCH).expiresBy()).isEqualTo(AddressIdCodec.EPOCH);
        assertThatThrownBy(() -> codec.issue(TWO_MEBIBYTES, last.plusSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> codec.issue(TWO_MEBIBYTES, AddressIdCodec.EPOCH.minusSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"-1, 16", "11, 16", "5, 0", "5, 17"})
    void aSizeClassThatCannotBeCarriedIsRefused(int code, int attachmentSixteenths) {
        assertThatThrownBy(() -> new SizeClass(code, attachmentSixteenths))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void idsOfOneSecondDifferByTheirRandomBits() {
        Set<String> issued = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            issued.add(codec.issue(TWO_MEBIBYTES, NOON).text());
        }

        assertThat(issued).hasSize(10_000);
    }

    private static AddressIdCodec codec(SigningKey... keys) {
        return new AddressIdCodec(List.of(keys), new SecureRandom());
    }

    private static SigningKey key(int fill) {
        byte[] secret = new byte[SigningKey.SECRET_BYTES_MIN];
        java.util.Arrays.fill(secret, (byte) fill);
        return SigningKey.ofBase64(Base64.getEncoder().encodeToString(secret));
    }
}
