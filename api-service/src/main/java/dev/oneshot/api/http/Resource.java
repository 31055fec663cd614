package dev.oneshot.api.http;

/** Marks a JAX-RS resource class, so that the edge knows its paths and methods and can say 404 and 405 for all others. */
public interface Resource {}
