/**
 * The state machine of one connection. {@code Dialogue} handles commands, {@code SmtpSession} everything else; both are
 * without I/O. A cell is the next state and the reply; without a state, it stays.
 *
 * <pre>{@code
 * command     Connected       Ready            MailGiven                          BetweenChunks
 * ----------  --------------  ---------------  ---------------------------------  -------------
 * EHLO, HELO  Ready 250       Ready 250        Ready 250                          Ready 250
 * MAIL        503             MailGiven 250    503                                503
 * RCPT        503             503              250                                503
 * DATA        503             503              ReceivingData 354; no RCPT: 503, 554  503
 * BDAT        SkippingChunk   SkippingChunk    ReceivingChunk; no RCPT: Skipping... ReceivingChunk
 * RSET        250             250              Ready 250                          Ready 250
 * STARTTLS    StartingTls 220 in all, 502 without a certificate, 503 within TLS
 * NOOP, VRFY, HELP            250, 252, 214 in all
 * QUIT        Closed 221 in all
 *
 * state           event                    next and reply
 * --------------  -----------------------  --------------------------------------------------------
 * ReceivingData   CRLF.CRLF                Delivering; Ready 4xx or 5xx if the message is rejected
 * ReceivingChunk  all octets               BetweenChunks 250; of the last chunk, as CRLF.CRLF
 * SkippingChunk   all octets               the state before, with 503
 * Receiving...    no memory                AwaitingMemory
 * AwaitingMemory  memory, or none in time  the state before; none before 354: Ready 452
 * Delivering      outcome                  Ready 250, 4xx or 5xx
 * StartingTls     handshake                Connected
 * any             a bound is exceeded      Closed 421
 * }</pre>
 *
 * MAIL, RCPT and BDAT may also be rejected, which leaves the state. All but MAIL, RCPT, DATA, BDAT, NOOP, VRFY and HELP end an
 * open mail transaction.
 */
@NullMarked
package dev.oneshot.ingest.smtp.session;

import org.jspecify.annotations.NullMarked;
