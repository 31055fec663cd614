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
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseHeader;
import org.jspecify.annotations.Nullable;

/** The mail of an address of the caller. */
@Path("/v1/addresses/{id}/email")
@RunOnVirtualThread
@RegisterForReflection
@Tag(name = "Email")
class EmailResource implements Resource {

    private static final String NO_STORE = "no-store";
    private static final String NOSNIFF = "nosniff";
    private static final String RANGE = "The range that was asked for.";
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
    @ResponseHeader(name = "Cache-Control", value = NO_STORE)
    @ResponseHeader(name = "X-Content-Type-Options", value = NOSNIFF)
    @Operation(operationId = "getEmail", summary = "Read the e-mail of an address")
    public EmailView get(@PathParam("id") String id) {
        return EmailView.of(mails.findWithBodies(caller.account().id(), AddressPath.parse(id)), domains);
    }

    @GET
    @Path("raw")
    @Produces(MediaType.TEXT_PLAIN)
    @Operation(operationId = "getRawEmail", summary = "Download the e-mail as it was received, or a range of it")
    @APIResponse(
            responseCode = "200",
            description = "All of it.",
            content = @Content(mediaType = MediaType.TEXT_PLAIN, schema = @Schema(implementation = String.class)))
    @APIResponse(
            responseCode = "206",
            description = RANGE,
            headers = @Header(name = "Content-Range", schema = @Schema(implementation = String.class)),
            content = @Content(mediaType = MediaType.TEXT_PLAIN, schema = @Schema(implementation = String.class)))
    public Response raw(
            @PathParam("id") String id,
            @HeaderParam("Range") @Nullable String range,
            @HeaderParam("If-Range") @Nullable String ifRange) {
        return raw(id, false, range, ifRange);
    }

    @HEAD
    @Path("raw")
    @Produces(MediaType.TEXT_PLAIN)
    @Operation(operationId = "headRawEmail", summary = "Tell how large the e-mail is")
    public Response rawHead(@PathParam("id") String id) {
        return raw(id, true, null, null);
    }

    @GET
    @Path("attachments/{index}")
    @Produces(MediaType.WILDCARD)
    @Operation(operationId = "getAttachment", summary = "Download an attachment, or a range of it")
    @APIResponse(
            responseCode = "200",
            description = "All of it.",
            content =
                    @Content(
                            mediaType = MediaType.WILDCARD,
                            schema = @Schema(implementation = String.class, format = "binary")))
    @APIResponse(
            responseCode = "206",
            description = RANGE,
            headers = @Header(name = "Content-Range", schema = @Schema(implementation = String.class)),
            content =
                    @Content(
                            mediaType = MediaType.WILDCARD,
                            schema = @Schema(implementation = String.class, format = "binary")))
    public Response attachment(
            @PathParam("id") String id,
            @PathParam("index") String index,
            @HeaderParam("Range") @Nullable String range,
            @HeaderParam("If-Range") @Nullable String ifRange) {
        return attachment(id, index, false, range, ifRange);
    }

    @HEAD
    @Path("attachments/{index}")
    @Produces(MediaType.WILDCARD)
    @Operation(operationId = "headAttachment", summary = "Tell how large an attachment is, and of what type")
    public Response attachmentHead(@PathParam("id") String id, @PathParam("index") String index) {
        return attachment(id, index, true, null, null);
    }

    private Response raw(String id, boolean head, @Nullable String range, @Nullable String ifRange) {
        UUID accountId = caller.account().id();
        MailStore.Received mail = mails.findToStreamWhole(accountId, AddressPath.parse(id));
        int bytes = mail.summary().sizeBytes();
        Download download =
                new Download(MediaType.TEXT_PLAIN, bytes, () -> mails.stream(accountId, mail.address(), 0, bytes));
        return mailHeaders(download.answer(head, range, ifRange)).build();
    }

    private Response attachment(
            String id, String index, boolean head, @Nullable String range, @Nullable String ifRange) {
        UUID accountId = caller.account().id();
        StoredMail mail = mails.findToStream(accountId, AddressPath.parse(id));
        Attachment attachment = at(mail.structure().attachments(), index);
        // Not the mail: of its structure nothing is to be held while somebody reads slowly.
        Address address = mail.address();
        Leaf content = attachment.content();
        Download download = new Download(
                contentType(attachment),
                attachment.sizeBytes(),
                () -> content.transferEncoding()
                        .decoding(mails.stream(accountId, address, content.offset(), content.length())));
        return mailHeaders(download.answer(head, range, ifRange))
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

    private static Response.ResponseBuilder mailHeaders(Response.ResponseBuilder response) {
        return response.header("Cache-Control", NO_STORE).header("X-Content-Type-Options", NOSNIFF);
    }
}
