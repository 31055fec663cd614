package dev.oneshot.client;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A received e-mail. Its content comes from a stranger: do not trust it.
 *
 * @param from the address of the first mailbox in the field From, or empty
 * @param to the one-shot address
 * @param subject decoded, or empty
 * @param textBody the body as plain text, or empty
 * @param htmlBody the body as HTML, or empty
 * @param headers the header fields, unfolded and decoded; {@code get} ignores the case of names, and repeated fields are joined
 *     with line feeds
 * @param receivedAt when the service received it
 * @param sizeBytes the size of the raw e-mail in bytes
 * @param attachments in the order of the e-mail; the position is the index for {@link OneshotClient#getAttachment}
 */
public record Email(
        String from,
        String to,
        String subject,
        String textBody,
        String htmlBody,
        Map<String, String> headers,
        Instant receivedAt,
        long sizeBytes,
        List<Attachment> attachments) {

    private static final int CODES_NAMED_MAX = 5;

    /** Copies the collections. */
    public Email {
        Map<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        copy.putAll(headers);
        headers = Collections.unmodifiableMap(copy);
        attachments = List.copyOf(attachments);
    }

    /**
     * The body as a person reads it: the plain text, or if there is none the visible text of the HTML body; may be empty:
     * {@code assertThat(email.text()).contains("Welcome")}.
     */
    public String text() {
        return textBody.isBlank() ? new HtmlText(htmlBody).text() : textBody;
    }

    /**
     * The one-time codes in subject and bodies, each value once; empty if there is none. The order is by {@link Code#score()}, a
     * number without unit, highest first; those of equal score are in the order of the text. Codes that score more than 25 below
     * the first are left out. A code has 4 to 8 digits, or 4 to 10 letters and digits, or groups of these with hyphens. Of each body,
     * the first 50,000 UTF-16 characters are read (200,000 of the source of HTML), and 1,000 of each line, with at most 500
     * candidates. Years, dates, times, amounts, phone numbers, order numbers, postal codes and codes for a discount are left out.
     * {@code clients/README.md} describes how: {@code email.codes().get(0).value()}.
     */
    public List<Code> codes() {
        return Codes.of(subject, joinedText(), htmlBody);
    }

    /**
     * The best of {@link #codes}; empty if there is none.
     *
     * @throws NoSuchElementException if another one is as likely; the message names both
     */
    public Optional<Code> code() {
        List<Code> codes = codes();
        if (codes.size() > 1 && codes.get(0).score() == codes.get(1).score()) {
            throw new NoSuchElementException("the e-mail has codes that are equally likely: "
                    + codes.stream()
                            .filter(code -> code.score() == codes.get(0).score())
                            .limit(CODES_NAMED_MAX)
                            .map(Code::value)
                            .collect(Collectors.joining(", ")));
        }
        return codes.stream().findFirst();
    }

    /**
     * The web links, each URL once: those of the HTML body in its order, then those that only its text or the plain text body
     * has. Images, other schemes, relative URLs and hidden links are left out.
     */
    public List<Link> links() {
        return Links.of(joinedText(), htmlBody);
    }

    /**
     * The link that confirms an address, signs in or resets a password, by the words in it; empty if none has such words:
     * {@code browser.open(email.verificationLink().orElseThrow().href())}.
     */
    public Optional<Link> verificationLink() {
        return Links.verification(joinedText(), htmlBody);
    }

    private String joinedText() {
        return Flowed.joined(headers.getOrDefault("Content-Type", ""), textBody);
    }

    /**
     * The service's results about the sender, if it checks senders; other fields of the name are not trusted:
     * {@code email.authentication().orElseThrow().dmarc()}. The service's name is the domain of {@link #to}, unless it has
     * another.
     */
    public Optional<Authentication> authentication() {
        return authentication(to.substring(to.lastIndexOf('@') + 1));
    }

    /** The same for a service that has this name in {@code Authentication-Results}. */
    public Optional<Authentication> authentication(String authservId) {
        return Authentication.of(headers.getOrDefault("Authentication-Results", ""), authservId);
    }
}
