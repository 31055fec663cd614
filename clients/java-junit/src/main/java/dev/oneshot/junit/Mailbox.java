package dev.oneshot.junit;

import dev.oneshot.client.Address;
import dev.oneshot.client.AwaitTimeoutException;
import dev.oneshot.client.Email;
import dev.oneshot.client.Link;
import dev.oneshot.client.OneshotClient;
import java.time.Duration;
import java.util.NoSuchElementException;

/**
 * The address of a test, and waiting for its e-mail. All methods that wait do so for the time-out of the
 * {@link OneshotExtension} or of the call, fail as {@link OneshotClient#awaitEmail}, and may be called again: the e-mail stays the same.
 */
public final class Mailbox {

    private final OneshotClient client;
    private final Address address;
    private final Duration timeout;

    Mailbox(OneshotClient client, Address address, Duration timeout) {
        this.client = client;
        this.address = address;
        this.timeout = timeout;
    }

    /** The address as it was created: {@code signUpForm.submit(inbox.address().address())}. */
    public Address address() {
        return address;
    }

    /** Waits for the e-mail: {@code assertEquals("Welcome", inbox.awaitEmail().subject())}. */
    public Email awaitEmail() throws InterruptedException {
        return awaitEmail(timeout);
    }

    /** As {@link #awaitEmail()}, for this time. */
    public Email awaitEmail(Duration callTimeout) throws InterruptedException {
        return client.awaitEmail(address, callTimeout);
    }

    /**
     * Waits for this time, and fails if an e-mail arrives: {@code inbox.awaitNone(Duration.ofSeconds(5))}.
     *
     * @throws AssertionError if there is an e-mail; the message has its sender and subject
     * @throws AwaitTimeoutException if the service failed at the end, so that it is unknown whether there is one
     */
    public void awaitNone(Duration callTimeout) throws InterruptedException {
        Email email;
        try {
            email = awaitEmail(callTimeout);
        } catch (AwaitTimeoutException e) {
            if (e.getCause() != null) {
                throw e;
            }
            return;
        }
        throw new AssertionError(OneshotExtension.printable("there is an e-mail from " + email.from()
                + " with the subject " + email.subject() + " where none was expected"));
    }

    /**
     * Waits for the e-mail and returns its best one-time code: {@code signUpForm.enter(inbox.awaitCode())}.
     *
     * @throws NoSuchElementException if there is none in it, and the message has the subject; or if two are equally likely, and the
     *     message has both
     */
    public String awaitCode() throws InterruptedException {
        return awaitCode(timeout);
    }

    /** As {@link #awaitCode()}, for this time. */
    public String awaitCode(Duration callTimeout) throws InterruptedException {
        Email email = awaitEmail(callTimeout);
        return email.code().orElseThrow(() -> isMissing("code", email)).value();
    }

    /**
     * Waits for the e-mail and returns the URL of its verification link: {@code browser.open(inbox.awaitVerificationLink())}.
     *
     * @throws NoSuchElementException if there is none in it; the message has the subject
     */
    public String awaitVerificationLink() throws InterruptedException {
        return awaitVerificationLink(timeout);
    }

    /** As {@link #awaitVerificationLink()}, for this time. */
    public String awaitVerificationLink(Duration callTimeout) throws InterruptedException {
        Email email = awaitEmail(callTimeout);
        return email.verificationLink().map(Link::href).orElseThrow(() -> isMissing("verification link", email));
    }

    private static NoSuchElementException isMissing(String what, Email email) {
        return new NoSuchElementException(OneshotExtension.printable("there is no " + what + " in the e-mail from "
                + email.from() + " with the subject " + email.subject()));
    }
}
