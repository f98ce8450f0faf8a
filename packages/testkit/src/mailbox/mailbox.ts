import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { type EventuallyOptions, eventually } from '../eventually.ts'

/** A received mail, and the link and code in it. */
export interface ReceivedMail {
  id: string
  from: string
  to: string
  subject: string
  text: string
  html: string
  /** The first URL in the text. */
  link: string | null
  /** Six digits on a line of their own. */
  code: string | null
  received_at: string
  /** The header fields, by lower-case name. */
  headers: Readonly<Record<string, string>>
}

/** An SMTP error reply: 450 is temporary, 550 is permanent. */
export interface SmtpRefusal {
  code: number
  text: string
}

/** An SMTP server on loopback that stores mails and does not deliver them. */
export interface Mailbox {
  /** The URL for SMTP_URL. */
  url: string
  /** The latest mails, oldest first. */
  readonly mails: readonly ReceivedMail[]
  /** Waits for the first mail that matches, including earlier ones. */
  waitFor(wanted: (mail: ReceivedMail) => boolean, options?: EventuallyOptions): Promise<ReceivedMail>
  /** Sets a function that may reject a recipient; undefined accepts it. */
  setRecipientCheck(verdict: (to: string) => SmtpRefusal | undefined | Promise<undefined>): void
  clear(): void
  close(): Promise<void>
}

export interface MailboxOptions {
  /** Default: a free port. */
  port?: number
  /** The number of mails that are stored. Default 50. */
  maxMails?: number
  onMail?(mail: ReceivedMail): void
}

/** Maximum size of a mail. */
const maxBytes = 1_048_576

/** Starts an SMTP server that stores mails in memory. */
export async function startMailbox({ port = 0, maxMails = 50, onMail }: MailboxOptions = {}): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  let serial = 0
  let recipientCheck: Parameters<Mailbox['setRecipientCheck']>[0] = () => undefined

  async function receive(stream: SMTPServerDataStream): Promise<void> {
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk)
    serial += 1
    const mail = await parseMail(Buffer.concat(chunks), `mail_${serial}`)
    mails.push(mail)
    if (mails.length > maxMails) mails.shift()
    onMail?.(mail)
  }

  const server = new SMTPServer({
    size: maxBytes,
    logger: false,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onRcptTo({ address }, _session, callback) {
      Promise.resolve(recipientCheck(address)).then(
        (refusal) => callback(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code })),
        (error: Error) => callback(error),
      )
    },
    onData(stream, _session, callback) {
      receive(stream).then(
        () => callback(),
        (error: Error) => callback(error),
      )
    },
  })
  const listening = server.listen(port, '127.0.0.1')
  if (!listening.listening) await once(listening, 'listening')
  server.on('error', () => {}) // clients may disconnect
  const { port: boundPort } = listening.address() as AddressInfo // a server that listens on TCP has such an address

  return {
    url: `smtp://127.0.0.1:${boundPort}`,
    mails,
    waitFor: (wanted, options) =>
      eventually(() => mails.find(wanted), { description: 'a mail', intervalMs: 10, ...options }),
    setRecipientCheck(next) {
      recipientCheck = next
    },
    clear: () => void mails.splice(0),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function parseMail(bytes: Uint8Array, id: string): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(bytes)
  const text = (mail.text ?? '').replaceAll('\r\n', '\n')
  return {
    id,
    from: mail.from?.address ?? '',
    to: mail.to?.[0]?.address ?? '',
    subject: mail.subject ?? '',
    text,
    html: mail.html ?? '',
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? null,
    code: /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? null,
    received_at: new Date().toISOString(),
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  }
}
