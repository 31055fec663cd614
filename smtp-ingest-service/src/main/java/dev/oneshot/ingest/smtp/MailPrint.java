package dev.oneshot.ingest.smtp;

/**
 * What a mail is known by when its sender comes again with it. The checksum need not withstand anybody: all that he
 * could reach who makes one mail look like another is that his own second mail is dropped.
 *
 * @param reversePath without brackets
 * @param contentBytes how many octets the client sent
 * @param checksum CRC-32C of them
 */
record MailPrint(String reversePath, long contentBytes, long checksum) {}
