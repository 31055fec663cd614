package dev.oneshot.api.http;

import java.util.List;

/** Entity tags (RFC 9110 §8.8.3). */
public final class EntityTag {

    private EntityTag() {}

    /**
     * Whether the fields If-None-Match have this tag, by weak comparison (RFC 9110 §13.1.2), or a star.
     *
     * @param tag weak or strong, without quotes within
     */
    public static boolean matches(List<String> ifNoneMatch, String tag) {
        String opaque = tag.substring(tag.indexOf('"'));
        return ifNoneMatch.stream()
                .anyMatch(field -> field.contains(opaque) || field.strip().equals("*"));
    }
}
