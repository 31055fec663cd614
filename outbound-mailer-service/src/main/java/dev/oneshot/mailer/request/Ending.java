package dev.oneshot.mailer.request;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What is to be written because a record is done.
 *
 * @param partition where the record came from
 * @param offset which it was
 * @param records what to write along with the progress
 */
record Ending(TopicPartition partition, long offset, List<ProducerRecord<byte[], byte[]>> records) {}
