import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { insertMail } from '../store/mails/mails.ts'
import type { Tx } from '../store/transaction.ts'
import { type MailTemplate, type QueuedMail, renderMail } from './mail-template.ts'

/** The queue that is woken when a mail is to be sent. */
export const mailQueue = 'mail'

/** A mail to be sent. */
export interface NewMail {
  /** One address. */
  to: string
  template: MailTemplate
  /** From when on it is of no use, and is not sent any more. */
  expiresAt: Date
}

/**
 * Puts a mail into the queue, to leave after the commit. It is sealed: what it holds signs somebody in, and nobody who
 * reads the database shall.
 */
export async function enqueueMail(
  { sealer }: Pick<Context, 'sealer'>,
  tx: Tx,
  { to, template, expiresAt }: NewMail,
): Promise<void> {
  const mailId = randomUUID()
  const queued: QueuedMail = { to, ...renderMail(template) }
  await insertMail(tx, { mailId, sealed: sealer.seal(JSON.stringify(queued), mailId), expiresAt })
  tx.wake(mailQueue)
}
