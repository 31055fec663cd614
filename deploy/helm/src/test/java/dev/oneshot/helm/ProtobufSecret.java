package dev.oneshot.helm;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A Secret in Kubernetes's protobuf encoding, which Helm uses for the record of a release. Field numbers are those of
 * {@code k8s.io/api/core/v1/generated.proto} and {@code k8s.io/apimachinery/pkg/runtime/generated.proto}.
 */
final class ProtobufSecret {

    private static final ByteString MAGIC = ByteString.copyFrom(new byte[] {'k', '8', 's', 0});

    private ProtobufSecret() {}

    static boolean isProtobuf(byte[] octets) {
        return ByteString.copyFrom(octets).startsWith(MAGIC);
    }

    /** The Secret as an API server returns it in JSON. */
    static ObjectNode toJson(byte[] octets) throws IOException {
        UnknownFieldSet envelope =
                UnknownFieldSet.parseFrom(ByteString.copyFrom(octets).substring(MAGIC.size()));
        UnknownFieldSet secret = UnknownFieldSet.parseFrom(field(envelope, 2));
        UnknownFieldSet metadata = UnknownFieldSet.parseFrom(field(secret, 1));
        ObjectNode json = new ObjectMapper()
                .createObjectNode()
                .put("kind", "Secret")
                .put("apiVersion", "v1")
                .put("type", field(secret, 3).toStringUtf8());
        ObjectNode jsonMetadata =
                json.putObject("metadata").put("name", field(metadata, 1).toStringUtf8());
        ObjectNode labels = jsonMetadata.putObject("labels");
        for (UnknownFieldSet label : messages(metadata, 11)) {
            labels.put(field(label, 1).toStringUtf8(), field(label, 2).toStringUtf8());
        }
        ObjectNode data = json.putObject("data");
        for (UnknownFieldSet datum : messages(secret, 2)) {
            data.put(field(datum, 1).toStringUtf8(), field(datum, 2).toByteArray());
        }
        return json;
    }

    private static ByteString field(UnknownFieldSet message, int number) {
        return message.getField(number).getLengthDelimitedList().getFirst();
    }

    private static List<UnknownFieldSet> messages(UnknownFieldSet message, int number)
            throws InvalidProtocolBufferException {
        List<UnknownFieldSet> messages = new ArrayList<>();
        for (ByteString octets : message.getField(number).getLengthDelimitedList()) {
            messages.add(UnknownFieldSet.parseFrom(octets));
        }
        return messages;
    }
}
