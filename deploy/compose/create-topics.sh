# Creates missing topics. A test compares them with the enum Topic of the module contracts.
set -e
create() {
  /opt/kafka/bin/kafka-topics.sh --bootstrap-server kafka:9092 --create --if-not-exists --partitions 3 --replication-factor 1 \
    --config cleanup.policy=delete --config max.message.bytes=75497472 --topic "$@"
}
create mail.inbound --config retention.ms=86400000 --config segment.ms=120000
create address.closed --config retention.ms=90000000 --config segment.ms=3600000
create mail.due --config retention.ms=360000 --config segment.ms=120000
create mail.settled --config retention.ms=604800000 --config segment.ms=3600000
create mail.inbound.dlq --config retention.ms=1209600000 --config segment.ms=86400000
create mail.settled.dlq --config retention.ms=1209600000 --config segment.ms=86400000
