import type { Database } from '@wp/database'
import { backoffMs, type Log } from '@wp/runtime'
import type { Sealer } from '@wp/service'
import { MailFailure } from './mail-failure.ts'
import type { QueuedMail } from './mail-template.ts'
import type { MailTransport } from './mail-transport.ts'
import { type ClaimedMail, markSending, markUncertain, postponeMail, removeMail } from './mails.ts'

/** The `outcome` label of the metric `mails_total` for one attempt. */
export type MailOutcome = 'sent' | 'refused' | 'postponed' | 'uncertain'

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
 * Sends a claimed mail and updates the queue: removes the mail if it was sent or rejected permanently, postpones it
 * with exponential backoff if it was certainly not accepted, and otherwise marks it as uncertain. That it may be
 * accepted from now on is stored before the server gets the content, so that no other attempt sends it again.
 */
export async function deliverMail(
  { pool, sealer, transport, log, timeoutMs, backoff }: MailDeliveryOptions,
  mail: ClaimedMail,
): Promise<MailOutcome> {
  try {
    const content: QueuedMail = JSON.parse(sealer.open(mail.sealed, mail.mailId))
    await transport.send(content, {
      id: mail.mailId,
      signal: AbortSignal.timeout(timeoutMs),
      beforeContent: () => markSending(pool, mail),
    })
  } catch (err) {
    const kind = err instanceof MailFailure ? err.kind : 'unavailable'
    const logFields = { err, mail: mail.mailId, tries: mail.tries }
    if (kind === 'rejected') {
      log.warn({ event: 'mail.rejected', ...logFields }, 'mail server rejected a mail permanently; mail removed')
      await removeMail(pool, mail)
      return 'refused'
    }
    if (kind === 'uncertain') {
      log.warn({ event: 'mail.uncertain', ...logFields }, 'a mail may have been accepted; it is not sent again')
      await markUncertain(pool, mail)
      return 'uncertain'
    }
    log.warn({ event: 'mail.postponed', ...logFields }, 'failed to send a mail; it will be retried')
    await postponeMail(pool, mail, backoffMs(mail.tries, backoff, Math.random()) / 1000)
    return 'postponed'
  }
  await removeMail(pool, mail)
  return 'sent'
}
