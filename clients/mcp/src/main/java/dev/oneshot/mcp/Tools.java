package dev.oneshot.mcp;

import dev.oneshot.client.Address;
import dev.oneshot.client.AwaitTimeoutException;
import dev.oneshot.client.Code;
import dev.oneshot.client.CreateAddress;
import dev.oneshot.client.Email;
import dev.oneshot.client.Link;
import dev.oneshot.client.OneshotClient;
import dev.oneshot.client.OneshotException;
import dev.oneshot.client.Send;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The tools of an agent. The SDK checks the arguments by their schemas, and the result names a wrong one. Any failure is also
 * a result, so that the agent can read it.
 */
final class Tools {

    private static final int TIMEOUT_SECONDS_MAX = 50;
    private static final int TIMEOUT_SECONDS_DEFAULT = 30;

    private static final Map<String, Object> ADDRESS = Map.of(
            "type", "string",
            "pattern", "^[A-Za-z0-9-]{1,64}(@.*)?$",
            "description", "the address, or its id");
    private static final Map<String, Object> LABEL =
            Map.of("type", "string", "minLength", 1, "maxLength", 255, "description", "a name for the address");
    private static final Map<String, Object> TTL_SECONDS = Map.of(
            "type",
            "integer",
            "minimum",
            60,
            "maximum",
            86_400,
            "description",
            "the lifetime of the address; by default an hour");
    private static final Map<String, Object> TIMEOUT_SECONDS = Map.of(
            "type",
            "integer",
            "minimum",
            1,
            "maximum",
            TIMEOUT_SECONDS_MAX,
            "description",
            "how long to wait; by default " + TIMEOUT_SECONDS_DEFAULT);
    private static final Map<String, Map<String, Object>> WAIT =
            Map.of("address", ADDRESS, "timeout_seconds", TIMEOUT_SECONDS);

    private final OneshotClient client;

    Tools(OneshotClient client) {
        this.client = client;
    }

    List<SyncToolSpecification> specifications() {
        return List.of(
                tool(
                        "create_address",
                        "Creates an e-mail address that receives exactly one e-mail.",
                        Map.of("label", LABEL, "ttl_seconds", TTL_SECONDS),
                        List.of(),
                        this::createAddress),
                tool(
                        "wait_for_email",
                        "Waits for the e-mail of an address and returns it, with HTML as text and the body cut after "
                                + UntrustedEmail.BODY_CHARS_MAX + " characters.",
                        WAIT,
                        List.of("address"),
                        arguments -> UntrustedEmail.block(await(arguments))),
                tool(
                        "wait_for_code",
                        "Waits for the e-mail of an address and returns the one-time code in it, and nothing else.",
                        WAIT,
                        List.of("address"),
                        arguments -> code(await(arguments))),
                tool(
                        "wait_for_link",
                        "Waits for the e-mail of an address and returns the URL that confirms an address, signs in or"
                                + " resets a password.",
                        WAIT,
                        List.of("address"),
                        arguments -> await(arguments)
                                .verificationLink()
                                .flatMap(Link::url)
                                .map(UntrustedEmail::blockOfUrl)
                                .orElse("The e-mail has arrived, and has no verification link.")),
                tool(
                        "get_email",
                        "Returns the e-mail of an address that has received one, as wait_for_email does.",
                        Map.of("address", ADDRESS),
                        List.of("address"),
                        arguments -> UntrustedEmail.block(client.getEmail(string(arguments, "address")))),
                tool(
                        "send_email",
                        "Sends one e-mail of plain text, from an address of its own.",
                        Map.of(
                                "to", Map.of("type", "string", "description", "the recipient, one e-mail address"),
                                "subject", Map.of("type", "string", "maxLength", 998),
                                "text_body", Map.of("type", "string"),
                                "label", LABEL),
                        List.of("to", "subject", "text_body"),
                        this::sendEmail),
                tool(
                        "delete_address",
                        "Deletes an address and its e-mail.",
                        Map.of("address", ADDRESS),
                        List.of("address"),
                        this::deleteAddress));
    }

    private String createAddress(Map<String, Object> arguments) {
        Long ttlSeconds =
                arguments.get("ttl_seconds") instanceof Number seconds ? Long.valueOf(seconds.longValue()) : null;
        Address address = client.createAddress(new CreateAddress(ttlSeconds, optional(arguments, "label"), null));
        return address.address() + " receives one e-mail, until " + address.expiresAt() + ".";
    }

    private String sendEmail(Map<String, Object> arguments) {
        Send send =
                Send.to(string(arguments, "to"), string(arguments, "subject")).withText(string(arguments, "text_body"));
        Address address = client.createAddress(new CreateAddress(null, optional(arguments, "label"), send));
        return "Sent from " + address.address() + ". It receives no response.";
    }

    private String deleteAddress(Map<String, Object> arguments) {
        client.deleteAddress(string(arguments, "address"));
        return "Deleted.";
    }

    private static String code(Email email) {
        try {
            return email.code().map(Code::value).orElse("The e-mail has arrived, and has no one-time code.");
        } catch (NoSuchElementException e) {
            return "The e-mail has arrived, but " + e.getMessage() + ".";
        }
    }

    private Email await(Map<String, Object> arguments) throws InterruptedException {
        int seconds = arguments.get("timeout_seconds") instanceof Number timeout
                ? timeout.intValue()
                : TIMEOUT_SECONDS_DEFAULT;
        return client.awaitEmail(string(arguments, "address"), Duration.ofSeconds(seconds));
    }

    private static String string(Map<String, Object> arguments, String name) {
        return String.valueOf(arguments.get(name));
    }

    private static @Nullable String optional(Map<String, Object> arguments, String name) {
        return arguments.containsKey(name) ? string(arguments, name) : null;
    }

    /** The action of a tool on its arguments. */
    private interface Action {
        String run(Map<String, Object> arguments) throws InterruptedException;
    }

    private static SyncToolSpecification tool(
            String name,
            String description,
            Map<String, Map<String, Object>> properties,
            List<String> required,
            Action action) {
        Map<String, Object> schema =
                Map.of("type", "object", "properties", properties, "required", required, "additionalProperties", false);
        return SyncToolSpecification.builder()
                .tool(Tool.builder(name, schema).description(description).build())
                .callHandler((exchange, request) ->
                        result(action, request.arguments() == null ? Map.of() : request.arguments()))
                .build();
    }

    private static CallToolResult result(Action action, Map<String, Object> arguments) {
        try {
            return result(action.run(arguments), false);
        } catch (AwaitTimeoutException e) {
            // The cause is the last failure of the connection, if there was one.
            return result(e.getMessage() + ". Call the tool again to wait for longer.", e.getCause() != null);
        } catch (OneshotException | IllegalArgumentException e) {
            return result(String.valueOf(e.getMessage()), true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return result("The server stops.", true);
        }
    }

    private static CallToolResult result(String text, boolean isError) {
        return CallToolResult.builder().addTextContent(text).isError(isError).build();
    }
}
