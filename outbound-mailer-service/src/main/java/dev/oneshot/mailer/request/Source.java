package dev.oneshot.mailer.request;

import dev.oneshot.contracts.event.Topic;

/**
 * A topic that requests come from.
 *
 * @param topic the topic; each has a consumer group of its own, so that their rebalances are their own, too
 * @param concurrency how many of its mails are delivered at once
 */
record Source(Topic topic, int concurrency) {

    String group() {
        return topic == Topic.MAIL_REQUESTED ? "oneshot-mailer" : "oneshot-mailer." + topic.topicName();
    }
}
