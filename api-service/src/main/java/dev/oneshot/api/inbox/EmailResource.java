package dev.oneshot.api.inbox;

import dev.oneshot.api.account.Caller;
import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.message.Attachment;
import dev.oneshot.message.Leaf;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.regex.Pattern;

/** The mail of an address of the caller. */
@Path("/v1/addresses/{id}/email")
@RunOnVirtualThread
class EmailResource {

    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");
    /** Two tokens of HTTP (RFC 9110 §8.3.1). With a star it would be a range. */
    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[a-z0-9!#$%&'+.^_`|~-]{1,127}/[a-z0-9!#$%&'+.^_`|~-]{1,127}");

    /** A name that needs no quotes. */
    private static final Pattern CHARSET = Pattern.compile("[a-z0-9!#$%&'*+.^_`|~-]+");

    private final Caller caller;
    private final MailStore mails;
    private final RoutingContext request;

    EmailResource(Caller caller, MailStore mails, RoutingContext request) {
        this.caller = caller;
        this.mails = mails;
        this.request = request;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public EmailView get(@PathParam("id") String id) {
        return mails.email(caller.account().id(), AddressPath.parse(id));
    }

    /** For HEAD too. */
    @GET
    @Path("raw")
    public Response raw(@PathParam("id") String id) {
        MailStore.Reading mail = mails.findToStream(caller.account().id(), AddressPath.parse(id));
        return new Download(MediaType.TEXT_PLAIN, mail.messageBytes(), () -> mail.stream(0, mail.messageBytes()))
                .response(request)
                .build();
    }

    /** For HEAD too. */
    @GET
    @Path("attachments/{index}")
    public Response attachment(@PathParam("id") String id, @PathParam("index") String index) {
        MailStore.Reading mail = mails.findToStream(caller.account().id(), AddressPath.parse(id));
        Attachment attachment = at(mail.structure().attachments(), index);
        Leaf content = attachment.content();
        Download download = new Download(
                contentType(attachment),
                attachment.sizeBytes(),
                () -> content.transferEncoding().decoding(mail.stream(content.offset(), content.length())));
        return download.response(request)
                .header("Content-Disposition", Download.disposition(StorableText.of(attachment.filename())))
                .build();
    }

    private static Attachment at(List<Attachment> attachments, String index) {
        if (!INDEX.matcher(index).matches() || Integer.parseInt(index) >= attachments.size()) {
            throw ApiException.of(Kind.NOT_FOUND, "the e-mail has no such attachment");
        }
        return attachments.get(Integer.parseInt(index));
    }

    /** As the sender gave it, unless it is malformed; of its parameters, text keeps its charset. */
    private static String contentType(Attachment attachment) {
        String type = attachment.contentType();
        if (!MEDIA_TYPE.matcher(type).matches()) {
            return MediaType.APPLICATION_OCTET_STREAM;
        }
        String charset = attachment.content().charset();
        return type.startsWith("text/") && CHARSET.matcher(charset).matches() ? type + ";charset=" + charset : type;
    }
}
