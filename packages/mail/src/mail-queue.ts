import { randomUUID } from 'node:crypto'
import type { Transaction } from '@wp/database'
import type { Sealer } from '@wp/service'
import { type MailTemplate, type QueuedMail, renderMail } from './mail-template.ts'
import { insertMail } from './mails.ts'

/** Name of the wake queue of the mail sender. */
export const mailQueue = 'mail'

/** A mail to send. */
export interface NewMail {
  /** A single address. */
  to: string
  template: MailTemplate
  /** Time after which the mail is useless and is no longer sent. */
  expiresAt: Date
}

/**
 * Queues a mail in the table `mails` of the service, inside the transaction; it is sent after the commit. The content
 * is sealed because it contains sign-in secrets, which must not be readable in the database.
 */
export async function enqueueMail(
  { sealer, productName }: { sealer: Sealer; productName?: string },
  tx: Transaction,
  { to, template, expiresAt }: NewMail,
): Promise<void> {
  const mailId = randomUUID()
  const queued: QueuedMail = { to, ...renderMail(template, productName) }
  await insertMail(tx, { mailId, sealed: sealer.seal(JSON.stringify(queued), mailId), expiresAt })
  tx.wake(mailQueue)
}
