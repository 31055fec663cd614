package dev.oneshot.mcp;

import static dev.oneshot.mcp.Schemas.arguments;

import dev.oneshot.client.Address;
import dev.oneshot.client.AddressFilter;
import dev.oneshot.client.Attachment;
import dev.oneshot.client.AwaitTimeoutException;
import dev.oneshot.client.CreateAddress;
import dev.oneshot.client.Email;
import dev.oneshot.client.OneshotClient;
import dev.oneshot.client.OneshotException;
import dev.oneshot.client.Send;
import dev.oneshot.client.Status;
import dev.oneshot.mcp.UntrustedEmail.Part;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The tools of an agent. The SDK checks the arguments by their schemas, and the result names a wrong one. Any failure is also
 * a result, so that the agent can read it.
 */
final class Tools {

    /** Larger attachments are not shown. */
    static final int ATTACHMENT_BYTES_MAX = 1024 * 1024;

    private static final Map<String, Map<String, Object>> WAIT =
            Map.of("address", Schemas.ADDRESS, "timeout_seconds", Schemas.TIMEOUT_SECONDS);
    private static final Map<String, Object> TIMED_OUT = Map.of("status", "timed_out");

    private final OneshotClient client;

    private final Calls calls;

    Tools(OneshotClient client, Calls calls) {
        this.client = client;
        this.calls = calls;
    }

    List<AsyncToolSpecification> specifications() {
        List<String> address = List.of("address");
        return List.of(
                tool(
                        "create_address",
                        "Creates an e-mail address that receives exactly one e-mail.",
                        arguments(Map.of("label", Schemas.LABEL, "ttl_seconds", Schemas.TTL_SECONDS), List.of()),
                        Schemas.CREATED,
                        writes("Create address", false, false),
                        this::createAddress),
                tool(
                        "wait_for_email",
                        "Waits for the e-mail of an address and returns it, with HTML as text and the body cut after "
                                + UntrustedEmail.BODY_CHARS_MAX + " characters.",
                        arguments(WAIT, address),
                        Schemas.EMAIL,
                        reads("Wait for e-mail"),
                        request -> Results.email(await(request), 0)),
                tool(
                        "wait_for_code",
                        "Waits for the e-mail of an address and returns the one-time code in it, and nothing else.",
                        arguments(WAIT, address),
                        Schemas.CODE,
                        reads("Wait for one-time code"),
                        request -> Results.code(await(request))),
                tool(
                        "wait_for_link",
                        "Waits for the e-mail of an address and returns the URL that confirms an address, signs in or"
                                + " resets a password.",
                        arguments(WAIT, address),
                        Schemas.LINK,
                        reads("Wait for verification link"),
                        request -> Results.link(await(request))),
                tool(
                        "get_email",
                        "Returns the e-mail of an address that has received one, as wait_for_email does; with offset, the"
                                + " rest of a body that was cut.",
                        arguments(Map.of("address", Schemas.ADDRESS, "offset", Schemas.OFFSET), address),
                        Schemas.EMAIL,
                        reads("Get e-mail"),
                        request -> Results.email(
                                client.getEmail(string(request, "address")), integer(request, "offset", 0))),
                tool(
                        "get_attachment",
                        "Returns an attachment of at most " + ATTACHMENT_BYTES_MAX + " bytes: text cut after "
                                + UntrustedEmail.BODY_CHARS_MAX + " characters, anything else as a resource.",
                        arguments(
                                Map.of("address", Schemas.ADDRESS, "index", Schemas.INDEX, "offset", Schemas.OFFSET),
                                List.of("address", "index")),
                        Schemas.ATTACHMENT,
                        reads("Get attachment"),
                        this::getAttachment),
                tool(
                        "list_addresses",
                        "Lists the addresses of the account, newest first, with sender and subject of their e-mails.",
                        arguments(
                                Map.of(
                                        "label", Schemas.LABEL,
                                        "status",
                                                Map.of(
                                                        "type",
                                                        "string",
                                                        "enum",
                                                        List.of("waiting", "received", "expired", "sent")),
                                        "limit", Schemas.LIMIT),
                                List.of()),
                        Schemas.ADDRESSES,
                        reads("List addresses"),
                        this::listAddresses),
                tool(
                        "get_account",
                        "Returns plan, limits, usage and credits of the account.",
                        arguments(Map.of(), List.of()),
                        Schemas.ACCOUNT,
                        reads("Get account"),
                        request -> Results.account(client.getAccount())),
                tool(
                        "send_email",
                        "Sends one e-mail of plain text, from an address of its own.",
                        arguments(
                                Map.of(
                                        "to",
                                                Map.of(
                                                        "type",
                                                        "string",
                                                        "description",
                                                        "the recipient, one e-mail address"),
                                        "subject", Map.of("type", "string", "maxLength", 998),
                                        "text_body", Map.of("type", "string"),
                                        "label", Schemas.LABEL),
                                List.of("to", "subject", "text_body")),
                        Schemas.SENT,
                        writes("Send e-mail", false, false),
                        this::sendEmail),
                tool(
                        "delete_address",
                        "Deletes an address and its e-mail.",
                        arguments(Map.of("address", Schemas.ADDRESS), address),
                        Schemas.DELETED,
                        writes("Delete address", true, true),
                        this::deleteAddress));
    }

    private CallToolResult createAddress(CallToolRequest request) {
        Long ttlSeconds = request.arguments().get("ttl_seconds") instanceof Number seconds ? seconds.longValue() : null;
        Address address = client.createAddress(new CreateAddress(ttlSeconds, optional(request, "label"), null));
        return Results.of(
                address.address() + " receives one e-mail, until " + address.expiresAt() + ".",
                Map.of(
                        "address",
                        address.address(),
                        "id",
                        address.id(),
                        "expires_at",
                        address.expiresAt().toString()));
    }

    private CallToolResult sendEmail(CallToolRequest request) {
        Send send = Send.to(string(request, "to"), string(request, "subject")).withText(string(request, "text_body"));
        Address address = client.createAddress(new CreateAddress(null, optional(request, "label"), send));
        return Results.of(
                "Sent from " + address.address() + ". It receives no response.", Map.of("address", address.address()));
    }

    private CallToolResult deleteAddress(CallToolRequest request) {
        client.deleteAddress(string(request, "address"));
        return Results.of("Deleted.", Map.of("deleted", true));
    }

    private CallToolResult getAttachment(CallToolRequest request) throws IOException {
        String address = string(request, "address");
        int index = integer(request, "index", 0);
        List<Attachment> attachments = client.getEmail(address).attachments();
        if (index >= attachments.size()) {
            throw new IllegalArgumentException(
                    "index must be less than " + attachments.size() + ", the number of attachments");
        }
        Attachment attachment = attachments.get(index);
        if (attachment.sizeBytes() > ATTACHMENT_BYTES_MAX) {
            throw new IllegalArgumentException("the attachment has " + attachment.sizeBytes() + " bytes, and at most "
                    + ATTACHMENT_BYTES_MAX + " are shown");
        }
        byte[] bytes;
        try (InputStream body = client.getAttachment(address, index)) {
            bytes = body.readAllBytes();
        }
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("filename", UntrustedEmail.seen(UntrustedEmail.line(attachment.filename())));
        content.put("content_type", UntrustedEmail.seen(UntrustedEmail.line(attachment.contentType())));
        content.put("size_bytes", attachment.sizeBytes());
        if (attachment.contentType().toLowerCase(Locale.ROOT).startsWith("text/")) {
            Part part = UntrustedEmail.part(new String(bytes, StandardCharsets.UTF_8), integer(request, "offset", 0));
            part.putInto(content);
            return Results.of(UntrustedEmail.marked(part.shown()), content);
        }
        String about = "Filename: " + UntrustedEmail.line(attachment.filename()) + "\nContent-Type: "
                + UntrustedEmail.line(attachment.contentType()) + "\n" + bytes.length + " bytes";
        String uri = "oneshot:/addresses/" + address + "/email/attachments/" + index;
        BlobResourceContents blob = BlobResourceContents.builder(
                        uri, Base64.getEncoder().encodeToString(bytes))
                .mimeType(attachment.contentType())
                .build();
        return CallToolResult.builder()
                .addTextContent(UntrustedEmail.marked(about))
                .addContent(EmbeddedResource.builder(blob).build())
                .structuredContent(content)
                .isError(false)
                .build();
    }

    private CallToolResult listAddresses(CallToolRequest request) {
        AddressFilter filter = AddressFilter.ALL;
        String label = optional(request, "label");
        filter = label == null ? filter : filter.withLabel(label);
        String status = optional(request, "status");
        filter = status == null ? filter : filter.withStatus(Status.valueOf(status.toUpperCase(Locale.ROOT)));
        int limit = integer(request, "limit", Schemas.LIST_DEFAULT);
        List<Map<String, Object>> found = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        Iterator<Address> addresses = client.listAddresses(filter).iterator();
        while (found.size() < limit && addresses.hasNext()) {
            Map<String, Object> address = Results.listed(addresses.next());
            found.add(address);
            lines.append(String.join(
                            ", ", address.values().stream().map(String::valueOf).toList()))
                    .append('\n');
        }
        boolean hasMore = found.size() == limit && addresses.hasNext();
        lines.append(found.isEmpty() ? "No addresses." : hasMore ? "There are more." : "These are all.");
        return Results.of(UntrustedEmail.marked(lines.toString()), Map.of("addresses", found, "has_more", hasMore));
    }

    private Email await(CallToolRequest request) throws InterruptedException {
        int seconds = integer(request, "timeout_seconds", Schemas.TIMEOUT_SECONDS_DEFAULT);
        return calls.await(
                id(request), () -> client.awaitEmail(string(request, "address"), Duration.ofSeconds(seconds)));
    }

    private static @Nullable Object id(CallToolRequest request) {
        return request.meta() == null ? null : request.meta().get(MessageInput.REQUEST_ID);
    }

    private static String string(CallToolRequest request, String name) {
        return String.valueOf(request.arguments().get(name));
    }

    private static int integer(CallToolRequest request, String name, int otherwise) {
        return request.arguments().get(name) instanceof Number number ? number.intValue() : otherwise;
    }

    private static @Nullable String optional(CallToolRequest request, String name) {
        return request.arguments().containsKey(name) ? string(request, name) : null;
    }

    /** The action of a tool. */
    private interface Action {
        CallToolResult run(CallToolRequest request) throws InterruptedException, IOException;
    }

    private static ToolAnnotations reads(String title) {
        return new ToolAnnotations(title, true, false, true, true, null);
    }

    private static ToolAnnotations writes(String title, boolean isDestructive, boolean isIdempotent) {
        return new ToolAnnotations(title, false, isDestructive, isIdempotent, true, null);
    }

    private static AsyncToolSpecification tool(
            String name,
            String description,
            Map<String, Object> arguments,
            Map<String, Object> result,
            ToolAnnotations annotations,
            Action action) {
        Tool tool = Tool.builder(name, arguments)
                .title(annotations.title())
                .description(description)
                .outputSchema(result)
                .annotations(annotations)
                .build();
        return AsyncToolSpecification.builder()
                .tool(tool)
                .callHandler((exchange, request) -> Mono.fromCallable(() -> run(
                                action,
                                request.arguments() == null
                                        ? new CallToolRequest(request.name(), Map.of(), request.meta())
                                        : request))
                        .subscribeOn(Schedulers.boundedElastic())
                        // The SDK ends if two threads respond at the same time.
                        .publishOn(Schedulers.single()))
                .build();
    }

    private static CallToolResult run(Action action, CallToolRequest request) {
        try {
            return action.run(request);
        } catch (AwaitTimeoutException e) {
            // The cause is the last failure of the connection, if there was one.
            String text = e.getMessage() + ". Call the tool again to wait for longer.";
            return e.getCause() == null ? Results.of(text, TIMED_OUT) : Results.failure(text);
        } catch (OneshotException | IllegalArgumentException e) {
            return Results.failure(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Results.failure("the attachment cannot be read: " + e.getMessage());
        } catch (InterruptedException e) {
            // The output leaves it out. The SDK ends only when each call has a result.
            return Results.failure("The call is cancelled.");
        }
    }
}
