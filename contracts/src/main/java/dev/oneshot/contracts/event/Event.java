package dev.oneshot.contracts.event;

/** A value on a topic. */
public sealed interface Event permits InboundEvent, DueMail, SendResult, AddressClosed {}
