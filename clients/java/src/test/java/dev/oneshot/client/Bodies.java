package dev.oneshot.client;

import org.jspecify.annotations.NullMarked;

/** Responses as the service gives them. */
@NullMarked
final class Bodies {

    static final String CREATED = """
            {"id":"abc","address":"abc@in.example.org","mode":"receive","status":"waiting",
             "expires_at":"2036-01-31T13:00:00Z","label":"sign-up"}""";

    static final String WAITING = """
            {"id":"abc","address":"abc@in.example.org","mode":"receive","status":"waiting",
             "expires_at":"2036-01-31T13:00:00Z","label":"sign-up","email":null}""";

    static final String RECEIVED =
            WAITING.replace("\"waiting\"", "\"received\"").replace("null", """
            {"from":"ada@example.org","subject":"Hello","received_at":"2036-01-31T12:00:05Z","size_bytes":321,
             "has_attachments":true,"attachment_count":1}""");

    static final String EMAIL = """
            {"from":"ada@example.org","to":"abc@in.example.org","subject":"Your code","text_body":"Your code is 482913.",
             "html_body":"","headers":{"Subject":"Your code","Received":"one\\ntwo"},"received_at":"2036-01-31T12:00:05Z",
             "size_bytes":321,"attachments":[{"filename":"a.txt","content_type":"text/plain","size_bytes":5,
             "download_url":"/addresses/abc/email/attachments/0"},
             {"filename":"b.png","content_type":"image/png","size_bytes":7,
             "download_url":"/addresses/abc/email/attachments/1","content_id":"b@example.org","content_location":"images/b.png"}],"something_new":{}}""";

    static final String ACCOUNT = """
            {"id":"1","name":"Example Ltd","plan":"pro","billing_cycle_ends":"2036-02-28T09:30:00Z",
             "monthly_allocation":10000,"used":1207,"credits":5000000000,"limits":{"max_ttl_seconds":86400,
             "max_email_bytes":8388608,"max_attachment_bytes":4194304,"requests_per_second":50,"burst":100}}""";

    private Bodies() {}
}
