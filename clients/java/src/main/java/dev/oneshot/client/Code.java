package dev.oneshot.client;

/**
 * A one-time code of an e-mail: {@code signUpForm.enter(email.codes().get(0).value())}.
 *
 * @param value as a person types it: groups of digits are joined ({@code 123 456} is {@code 123456}), and a hyphen stays where
 *     there are letters ({@code G-123456})
 * @param score the higher, the more likely it is the code; comparable within one e-mail
 * @param why the reasons for it, as in {@code "verification code" before it; 6 digits}
 */
public record Code(String value, int score, String why) {}
