package dev.oneshot.helm;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A Secret in Kubernetes's protobuf encoding, which Helm uses for the record of a release. Field numbers are those of
 * {@code k8s.io/api/core/v1/generated.proto} and {@code k8s.io/apimachinery/pkg/runtime/generated.proto}.
 */
final class ProtobufSecret {

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int LENGTH_DELIMITED = 2;

    private ProtobufSecret() {}

    static boolean isProtobuf(byte[] octets) {
        return octets.length > MAGIC.length
                && ByteBuffer.wrap(octets, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
    }

    /** The Secret as an API server returns it in JSON. */
    static ObjectNode toJson(byte[] octets) {
        Message secret = new Message(ByteBuffer.wrap(octets, MAGIC.length, octets.length - MAGIC.length)).message(2);
        Message metadata = secret.message(1);
        ObjectNode json = new ObjectMapper()
                .createObjectNode()
                .put("kind", "Secret")
                .put("apiVersion", "v1")
                .put("type", secret.text(3));
        ObjectNode jsonMetadata = json.putObject("metadata").put("name", metadata.text(1));
        ObjectNode labels = jsonMetadata.putObject("labels");
        metadata.messages(11).forEach(label -> labels.put(label.text(1), label.text(2)));
        ObjectNode data = json.putObject("data");
        secret.messages(2).forEach(datum -> data.put(datum.text(1), datum.octets(2)));
        return json;
    }

    /** A protobuf message, with its length-delimited fields only. */
    private record Message(Map<Integer, List<ByteBuffer>> fields) {

        Message(ByteBuffer octets) {
            this(read(octets.duplicate()));
        }

        List<Message> messages(int field) {
            return fields.getOrDefault(field, List.of()).stream()
                    .map(Message::new)
                    .toList();
        }

        Message message(int field) {
            return messages(field).getFirst();
        }

        byte[] octets(int field) {
            ByteBuffer value = fields.getOrDefault(field, List.of()).getFirst().duplicate();
            byte[] octets = new byte[value.remaining()];
            value.get(octets);
            return octets;
        }

        String text(int field) {
            return new String(octets(field), StandardCharsets.UTF_8);
        }

        private static Map<Integer, List<ByteBuffer>> read(ByteBuffer message) {
            Map<Integer, List<ByteBuffer>> fields = new HashMap<>();
            while (message.hasRemaining()) {
                int tag = (int) varint(message);
                long number = varint(message);
                if ((tag & 7) == LENGTH_DELIMITED) {
                    int length = (int) number;
                    fields.computeIfAbsent(tag >>> 3, field -> new ArrayList<>())
                            .add(message.slice(message.position(), length));
                    message.position(message.position() + length);
                }
            }
            return fields;
        }

        private static long varint(ByteBuffer message) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte octet = message.get();
                value |= (long) (octet & 0x7f) << shift;
                if (octet >= 0) {
                    return value;
                }
            }
        }
    }
}
