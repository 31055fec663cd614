package dev.oneshot.api.inbox;

import dev.oneshot.api.account.Caller;
import dev.oneshot.api.address.Address;
import dev.oneshot.api.address.AddressDomains;
import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.Resource;
import dev.oneshot.message.Attachment;
import dev.oneshot.message.Leaf;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseHeader;

/** The mail of an address of the caller. */
@Path("/v1/addresses/{id}/email")
@RunOnVirtualThread
@RegisterForReflection
@Tag(name = "Email", description = "The e-mail of an address: parsed, as it was received, and its attachments.")
class EmailResource implements Resource {

    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");
    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}");

    private final Caller caller;
    private final MailStore mails;
    private final AddressDomains domains;

    EmailResource(Caller caller, MailStore mails, AddressDomains domains) {
        this.caller = caller;
        this.mails = mails;
        this.domains = domains;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @ResponseHeader(name = "Cache-Control", value = "no-store")
    @ResponseHeader(name = "X-Content-Type-Options", value = "nosniff")
    @Operation(
            operationId = "getEmail",
            summary = "Read the e-mail of an address",
            description = "The parsed e-mail, with the metadata of its attachments. 404 until an e-mail has arrived.")
    @APIResponse(
            responseCode = "200",
            description = "The e-mail.",
            content = @Content(schema = @Schema(implementation = EmailView.class)))
    public EmailView get(@PathParam("id") String id) {
        return EmailView.of(mails.findWithBodies(caller.account().id(), AddressPath.parse(id)), domains);
    }

    @GET
    @Path("raw")
    @Operation(
            operationId = "getRawEmail",
            summary = "Download the e-mail as it was received",
            description = "The complete source of the e-mail (RFC 5322), with the trace header fields of the receiving"
                    + " server in front. The response is the same for every Accept header field.")
    @APIResponse(
            responseCode = "200",
            description = "The source of the e-mail.",
            content = @Content(mediaType = MediaType.TEXT_PLAIN, schema = @Schema(implementation = String.class)))
    public Response raw(@PathParam("id") String id) {
        return raw(id, false);
    }

    @HEAD
    @Path("raw")
    @Operation(
            operationId = "headRawEmail",
            summary = "Get the size of the e-mail",
            description =
                    "The header fields of the download, without its content. Content-Length is the size in bytes.")
    @APIResponse(
            responseCode = "200",
            description = "The header fields of the download.",
            content = @Content(mediaType = MediaType.TEXT_PLAIN, schema = @Schema(implementation = String.class)))
    public Response rawHead(@PathParam("id") String id) {
        return raw(id, true);
    }

    @GET
    @Path("attachments/{index}")
    @Operation(
            operationId = "getAttachment",
            summary = "Download an attachment",
            description = "The decoded content of the attachment, with its own Content-Type. The response is the same"
                    + " for every Accept header field.")
    @APIResponse(
            responseCode = "200",
            description = "The content of the attachment.",
            content =
                    @Content(
                            mediaType = MediaType.WILDCARD,
                            schema = @Schema(implementation = String.class, format = "binary")))
    public Response attachment(@PathParam("id") String id, @PathParam("index") String index) {
        return attachment(id, index, false);
    }

    @HEAD
    @Path("attachments/{index}")
    @Operation(
            operationId = "headAttachment",
            summary = "Get the size and the type of an attachment",
            description =
                    "The header fields of the download, without its content. Content-Length is the size in bytes.")
    @APIResponse(
            responseCode = "200",
            description = "The header fields of the download.",
            content =
                    @Content(
                            mediaType = MediaType.WILDCARD,
                            schema = @Schema(implementation = String.class, format = "binary")))
    public Response attachmentHead(@PathParam("id") String id, @PathParam("index") String index) {
        return attachment(id, index, true);
    }

    private Response raw(String id, boolean isHead) {
        UUID accountId = caller.account().id();
        MailStore.Received mail = mails.findToStreamWhole(accountId, AddressPath.parse(id));
        int bytes = mail.summary().sizeBytes();
        return new Download(MediaType.TEXT_PLAIN, bytes, () -> mails.stream(accountId, mail.address(), 0, bytes))
                .response(isHead)
                .build();
    }

    private Response attachment(String id, String index, boolean isHead) {
        UUID accountId = caller.account().id();
        StoredMail mail = mails.findToStream(accountId, AddressPath.parse(id));
        Attachment attachment = at(mail.structure().attachments(), index);
        // Not the mail: its structure must not stay in memory while a client reads slowly.
        Address address = mail.address();
        Leaf content = attachment.content();
        Download download = new Download(
                contentType(attachment),
                attachment.sizeBytes(),
                () -> content.transferEncoding()
                        .decoding(mails.stream(accountId, address, content.offset(), content.length())));
        return download.response(isHead)
                .header("Content-Disposition", ContentDisposition.attachment(StorableText.of(attachment.filename())))
                .build();
    }

    private static Attachment at(List<Attachment> attachments, String index) {
        if (!INDEX.matcher(index).matches() || Integer.parseInt(index) >= attachments.size()) {
            throw ApiException.notFound("the e-mail has no such attachment");
        }
        return attachments.get(Integer.parseInt(index));
    }

    /** As the sender named it, unless that is no type at all. */
    private static String contentType(Attachment attachment) {
        return MEDIA_TYPE.matcher(attachment.contentType()).matches()
                ? attachment.contentType()
                : MediaType.APPLICATION_OCTET_STREAM;
    }
}
