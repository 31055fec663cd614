package dev.oneshot.mcp;

import dev.oneshot.client.Account;
import dev.oneshot.client.Address;
import dev.oneshot.client.Code;
import dev.oneshot.client.Email;
import dev.oneshot.client.EmailSummary;
import dev.oneshot.client.Link;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** What an agent gets from a tool: a text, and the same as structured content. */
final class Results {

    private Results() {}

    static CallToolResult email(Email email, int offset) {
        return of(UntrustedEmail.block(email, offset), UntrustedEmail.content(email, offset));
    }

    static CallToolResult code(Email email) {
        Optional<String> code;
        try {
            code = email.code().map(Code::value);
        } catch (NoSuchElementException e) {
            return of("The e-mail has arrived, but " + e.getMessage() + ".", Map.of("status", "received"));
        }
        return of(
                code.orElse("The e-mail has arrived, and has no one-time code."),
                code.<Map<String, Object>>map(value -> Map.of("status", "received", "code", value))
                        .orElse(Map.of("status", "received")));
    }

    static CallToolResult link(Email email) {
        Optional<String> url = email.verificationLink().flatMap(Link::url);
        return of(
                url.map(UntrustedEmail::blockOfUrl).orElse("The e-mail has arrived, and has no verification link."),
                url.<Map<String, Object>>map(value -> Map.of("status", "received", "url", value))
                        .orElse(Map.of("status", "received")));
    }

    static CallToolResult account(Account account) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("name", account.name());
        content.put("plan", account.plan());
        content.put("billing_cycle_ends", account.billingCycleEnds().toString());
        content.put("monthly_allocation", account.monthlyAllocation());
        content.put("used", account.used());
        content.put("credits", account.credits());
        content.put("max_ttl_seconds", account.limits().maxTtlSeconds());
        content.put("max_email_bytes", account.limits().maxEmailBytes());
        StringBuilder lines = new StringBuilder();
        content.forEach(
                (name, value) -> lines.append(name).append(": ").append(value).append('\n'));
        return of(lines.toString().stripTrailing(), content);
    }

    static Map<String, Object> listed(Address address) {
        Map<String, Object> listed = new LinkedHashMap<>();
        listed.put("address", address.address());
        listed.put("mode", address.mode().name().toLowerCase(Locale.ROOT));
        listed.put("status", address.status().name().toLowerCase(Locale.ROOT));
        listed.put("expires_at", address.expiresAt().toString());
        if (address.label() != null) {
            listed.put("label", UntrustedEmail.seen(UntrustedEmail.line(address.label())));
        }
        EmailSummary email = address.email();
        if (email != null) {
            listed.put("from", UntrustedEmail.seen(UntrustedEmail.line(email.from())));
            listed.put("subject", UntrustedEmail.seen(UntrustedEmail.line(email.subject())));
        }
        return listed;
    }

    static CallToolResult of(String text, Map<String, Object> content) {
        return CallToolResult.builder()
                .addTextContent(text)
                .structuredContent(content)
                .isError(false)
                .build();
    }

    static CallToolResult failure(String text) {
        return CallToolResult.builder().addTextContent(text).isError(true).build();
    }
}
