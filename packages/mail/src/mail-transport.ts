import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { toMailFailure } from './mail-failure.ts'

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

interface SendOptions {
  /** Identifies the mail; the same for every attempt. */
  id: string
  signal: AbortSignal
  /**
   * Called when the server is ready for the content, before any of it is sent; nothing is sent if it rejects. From then
   * on the mail may be accepted whatever happens to this process.
   */
  beforeContent?: () => Promise<void>
}

/** Sends mails through the operator's mail server. */
export interface MailTransport {
  /** Resolves once the server has accepted the mail. @throws MailFailure */
  send(mail: OutgoingMail, options: SendOptions): Promise<void>
}

/** Milliseconds for each phase; the caller's signal limits the total. */
const timeoutsMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000, dnsTimeout: 5_000 }

/**
 * Creates an SMTP transport.
 * @param options.url `smtp://user:password@host:587` or `smtps://…`; nodemailer options in the query, such as
 *   `?requireTLS=true`, apply
 */
export function createMailTransport({ url, from }: { url: string; from: string }): MailTransport {
  const domain = from.replace(/^.*@/s, '').replace(/[>\s].*$/s, '')
  return {
    async send({ to, subject, text, html, unsubscribeUrl }, { id, signal, beforeContent = async () => {} }) {
      let isContentSent = false
      const transport = createTransport({ url, ...timeoutsMs, disableFileAccess: true, disableUrlAccess: true })
      transport.use('stream', ({ message }, done) => {
        const open = message.createReadStream.bind(message)
        message.createReadStream = () =>
          gateContent(open(), beforeContent, () => {
            isContentSent = true
          })
        done()
      })
      try {
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
      } catch (error) {
        throw toMailFailure(error, isContentSent)
      }
      // A reply that came before the content says nothing about it.
      if (!isContentSent) throw toMailFailure(new Error('the server confirmed a mail before its content'), true)
    },
  }
}

/**
 * Returns a stream of the content that waits for `before`, and tells when the last byte is given to the connection: the
 * end mark of the content follows. The library reads nothing of it until the server is ready for the content.
 */
const gateContent = (content: AsyncIterable<Uint8Array>, before: () => Promise<void>, onEnd: () => void) =>
  Readable.from(
    (async function* () {
      await before()
      for await (const chunk of content) yield chunk
      onEnd()
    })(),
    { objectMode: false },
  )

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

const smtpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && ['smtp:', 'smtps:'].includes(new URL(text).protocol),
    'must be an address beginning with smtp:// or smtps://',
  )

/** Environment variables of a service that sends mails. */
export const mailConfig = {
  /** Mail server, `smtp://user:password@host:587`. Without it, no mails are sent. */
  SMTP_URL: smtpUrl.optional(),
  /** Sender of mails. Default `no-reply@` the host of PUBLIC_BASE_URL. */
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, 'must contain a mail address')
    .optional(),
}
