package dev.oneshot.mailer.request;

import dev.oneshot.contracts.event.Topic;

/**
 * A topic that requests come from.
 *
 * @param topic the topic; its consumers are the group {@code oneshot-mailer.<topic>}
 * @param concurrency how many of its mails are delivered at once
 */
record Source(Topic topic, int concurrency) {

    String group() {
        return "oneshot-mailer." + topic.topicName();
    }
}
