import type { Database } from '@wp/database'
import { backoffMs, type Log } from '@wp/runtime'
import type { Sealer } from '@wp/service'
import type { QueuedMail } from './mail-template.ts'
import { isPermanentFailure, type MailTransport } from './mail-transport.ts'
import { type ClaimedMail, postponeMail, removeMail } from './mails.ts'

/** The `outcome` label of the metric `mails_total` for one attempt. */
export type MailOutcome = 'sent' | 'refused' | 'postponed'

export interface MailDeliveryOptions {
  pool: Database['worker']
  sealer: Sealer
  transport: MailTransport
  log: Log
  /** Time limit of one attempt. */
  timeoutMs: number
  backoff: { firstMs: number; maxMs: number }
}

/**
 * Sends a claimed mail once and updates the queue: removes the mail if it was sent or rejected permanently, otherwise
 * postpones it with exponential backoff.
 */
export async function deliverMail(
  { pool, sealer, transport, log, timeoutMs, backoff }: MailDeliveryOptions,
  mail: ClaimedMail,
): Promise<MailOutcome> {
  try {
    const content: QueuedMail = JSON.parse(sealer.open(mail.sealed, mail.mail_id))
    await transport.send(content, { id: mail.mail_id, signal: AbortSignal.timeout(timeoutMs) })
  } catch (err) {
    const logFields = { err, mail: mail.mail_id, tries: mail.tries }
    if (isPermanentFailure(err)) {
      log.warn({ event: 'mail.rejected', ...logFields }, 'mail server rejected a mail permanently; mail removed')
      await removeMail(pool, mail)
      return 'refused'
    }
    log.warn({ event: 'mail.postponed', ...logFields }, 'failed to send a mail; it will be retried')
    await postponeMail(pool, mail, backoffMs(mail.tries, backoff, Math.random()) / 1000)
    return 'postponed'
  }
  await removeMail(pool, mail)
  return 'sent'
}
