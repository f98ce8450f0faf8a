import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import type { QueuedMail } from './mail-template.ts'

/** Hands mails to the operator's mail server. */
export interface MailTransport {
  /** @throws the server's refusal, see `isPermanent`; or what went wrong on the way to it */
  send(mail: QueuedMail, options: { id: string; signal: AbortSignal }): Promise<void>
}

/** Milliseconds. Each on its own; all of them together are held by the caller's signal. */
const timeoutsMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000, dnsTimeout: 5_000 }

/**
 * @param options.url `smtp://user:password@host:587`, or `smtps://`; what nodemailer reads from its query, such as
 *   `?requireTLS=true`, holds
 */
export function createMailTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transport = createTransport({ url, ...timeoutsMs, disableFileAccess: true, disableUrlAccess: true })
  const domain = from.replace(/^.*@/s, '').replace(/[>\s].*$/s, '')
  return {
    async send({ to, subject, text, html }, { id, signal }) {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        // The same each time it is tried, so that a mail server can tell a second copy.
        messageId: `<${id}@${domain}>`,
        // RFC 3834: no holiday notice shall answer it.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        signal,
      })
    },
  }
}

/** The mail server of the configuration, where there is one. */
export const createMailTransportFromConfig = ({
  SMTP_URL: url,
  MAIL_FROM: from,
  PUBLIC_BASE_URL: base,
}: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_BASE_URL'>): MailTransport | undefined =>
  url === undefined ? undefined : createMailTransport({ url, from: from ?? `no-reply@${new URL(base).hostname}` })

/** Whether a mail server refused for good (RFC 5321 section 4.2.1: 5yz), so that trying again changes nothing. */
export const isPermanentFailure = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode >= 500 &&
  // 530, 534, 535, 538: it is us who may not send, which the operator can put right.
  !authenticationFailureCodes.has(error.responseCode)

const authenticationFailureCodes: ReadonlySet<number> = new Set([530, 534, 535, 538])
