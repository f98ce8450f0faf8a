import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { insertMail } from '../store/mails.ts'
import type { Tx } from '../store/transaction.ts'
import { type Letter, type QueuedMail, renderLetter } from './letter.ts'

/** The queue that is woken when a mail is to be sent. */
export const mailQueue = 'mail'

/** A mail to be sent. */
export interface NewMail {
  /** One address. */
  to: string
  letter: Letter
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
  { to, letter, expiresAt }: NewMail,
): Promise<void> {
  const mailId = randomUUID()
  const queued: QueuedMail = { to, ...renderLetter(letter) }
  await insertMail(tx, { mailId, sealed: sealer.seal(JSON.stringify(queued), mailId), expiresAt })
  tx.wake(mailQueue)
}
