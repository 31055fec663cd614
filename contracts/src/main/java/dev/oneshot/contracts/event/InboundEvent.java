package dev.oneshot.contracts.event;

/** An accepted mail, on {@link Topic#MAIL_INBOUND}. */
public sealed interface InboundEvent extends Event permits MailInbound, PostmasterMail, SendBounced {

    /** The record's key. */
    String key();
}
