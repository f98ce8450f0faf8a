import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { type EventuallyOptions, eventually } from '../eventually.ts'

/** A mail that came, and what a person would look for in it. */
export interface ReceivedMail {
  id: string
  from: string
  to: string
  subject: string
  text: string
  html: string
  /** The first address in the text. */
  link: string | null
  /** Six digits that stand alone on a line of the text. */
  code: string | null
  received_at: string
  /** Header fields by their names in lower case. */
  headers: Readonly<Record<string, string>>
}

/** How a mail server refuses: `450` for now, `550` for good. */
export interface SmtpRefusal {
  code: number
  text: string
}

/** A mail server on loopback that delivers to nobody. */
export interface Mailbox {
  /** For SMTP_URL. */
  url: string
  /** The last of what came, oldest first. */
  readonly mails: readonly ReceivedMail[]
  /** The first mail that is wanted, whether it came already or comes. */
  waitFor(wanted: (mail: ReceivedMail) => boolean, options?: EventuallyOptions): Promise<ReceivedMail>
  /** From now on every recipient is judged by this; undefined lets a mail in. */
  setRecipientCheck(verdict: (to: string) => SmtpRefusal | undefined | Promise<undefined>): void
  clear(): void
  close(): Promise<void>
}

export interface MailboxOptions {
  /** Default: a free one. */
  port?: number
  /** How many mails are kept. Default 50. */
  maxMails?: number
  onMail?(mail: ReceivedMail): void
}

/** Far more than a letter of ours. */
const maxBytes = 1_048_576

/** Starts a real SMTP server that keeps what it is given in memory. */
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
  server.on('error', () => {}) // a client that breaks off is its own affair
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
