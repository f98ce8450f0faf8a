import { createTransport } from 'nodemailer'

/** A rendered mail to one address. */
export interface OutgoingMail {
  to: string
  subject: string
  text: string
  html: string
  /**
   * HTTPS address that ends mails of this kind: offered by mail programs, which send a POST without a page or sign-in
   * (RFC 2369, RFC 8058).
   */
  unsubscribeUrl?: string
}

/** Sends mails through the operator's mail server. */
export interface MailTransport {
  /** @throws the server's rejection (see `isPermanentFailure`, `isRejected`) or a connection error */
  send(mail: OutgoingMail, options: { id: string; signal: AbortSignal }): Promise<void>
}

/** Milliseconds for each phase; the caller's signal limits the total. */
const timeoutsMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000, dnsTimeout: 5_000 }

/**
 * Creates an SMTP transport.
 * @param options.url `smtp://user:password@host:587` or `smtps://…`; nodemailer options in the query, such as
 *   `?requireTLS=true`, apply
 */
export function createMailTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transport = createTransport({ url, ...timeoutsMs, disableFileAccess: true, disableUrlAccess: true })
  const domain = from.replace(/^.*@/s, '').replace(/[>\s].*$/s, '')
  return {
    async send({ to, subject, text, html, unsubscribeUrl }, { id, signal }) {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        // The same for every attempt, so that a mail server can detect a duplicate.
        messageId: `<${id}@${domain}>`,
        headers: {
          // RFC 3834: suppresses automatic replies such as out-of-office notices.
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(unsubscribeUrl === undefined
            ? {}
            : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
        },
        signal,
      })
    },
  }
}

/** The environment variables that configure the mail server. */
interface MailVariables {
  SMTP_URL?: string | undefined
  MAIL_FROM?: string | undefined
  PUBLIC_BASE_URL: string
}

/** Creates the configured mail transport; undefined if no mail server is configured. */
export const createMailTransportFromConfig = ({
  SMTP_URL: url,
  MAIL_FROM: from,
  PUBLIC_BASE_URL: publicBaseUrl,
}: MailVariables): MailTransport | undefined =>
  url === undefined
    ? undefined
    : createMailTransport({ url, from: from ?? `no-reply@${new URL(publicBaseUrl).hostname}` })

/**
 * Returns true if the server rejected the mail permanently (RFC 5321 section 4.2.1: 5yz), so that a retry is useless.
 */
export const isPermanentFailure = (error: unknown): boolean => {
  const code = responseCodeOf(error)
  return code !== undefined && code >= 500 && !authenticationFailureCodes.has(code)
}

/** The server rejected our own authentication, which the operator can correct while the mail waits. */
const authenticationFailureCodes: ReadonlySet<number> = new Set([530, 534, 535, 538])

/**
 * Returns true if it is certain that the server did not accept the mail: it answered with an error, or no connection
 * was made. Any other failure, such as a connection that was lost after the content was sent, leaves it open.
 */
export const isRejected = (error: unknown): boolean =>
  responseCodeOf(error) !== undefined || memberOf(error, 'command') === 'CONN' || memberOf(error, 'code') === 'EDNS'

const responseCodeOf = (error: unknown): number | undefined => {
  const code = memberOf(error, 'responseCode')
  return typeof code === 'number' ? code : undefined
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name] // an object that has this member
    : undefined
