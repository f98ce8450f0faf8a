import type { Database, Log } from '@wp/database'
import { type Bus, backoffMs, createLoop } from '@wp/events'
import type { Metrics, Sealer, Worker } from '@wp/service'
import { type ClaimedMail, claimMails, postponeMail, removeExpiredMails, removeMail } from '../store/mails/mails.ts'
import { mailQueue } from './mail-queue.ts'
import type { QueuedMail } from './mail-template.ts'
import { isPermanentFailure, type MailTransport } from './mail-transport.ts'

export interface MailSenderOptions {
  database: Pick<Database, 'worker' | 'onWake'>
  bus: Pick<Bus, 'onWake'>
  sealer: Sealer
  /** Undefined: nothing leaves. */
  transport: MailTransport | undefined
  log: Log
  metrics: Metrics
  /** Mails under way at once. Default 4. */
  concurrency?: number
  /** For one mail, in all. Default 20,000. */
  timeoutMs?: number
  /** Pauses between tries. Default 1 s doubling to 1 min. */
  backoff?: { firstMs: number; maxMs: number }
  /** The net under the wakes. Default 1,000. */
  pollMs?: number
}

/** A claim outlives the try it is for by more than any pause of the process or the network between. */
const leaseTimeoutFactor = 3

/**
 * Sends what lies in the queue, in any replica. While its claim runs, nobody else sends a mail; a process that dies
 * between the mail server's yes and the removal leaves one that is sent again, under the same Message-ID.
 */
export function createMailSender(options: MailSenderOptions): Worker {
  const { database, bus, sealer, transport, log, metrics, concurrency = 4, timeoutMs = 20_000 } = options
  const { backoff = { firstMs: 1_000, maxMs: 60_000 }, pollMs = 1_000 } = options
  const pool = database.worker
  const leaseSeconds = (timeoutMs / 1000) * leaseTimeoutFactor
  const sending = new Set<Promise<void>>()
  const loop = createLoop({ name: 'mail', pass, pollMs, log })
  let unsubscribeWakes: (() => void)[] = []

  async function pass(): Promise<'idle'> {
    const removed = await removeExpiredMails(pool)
    if (removed > 0) {
      log.warn({ count: removed }, 'mails could not be sent while they were of use')
      metrics.count('mails_total', { outcome: 'expired' }, removed)
    }
    const limit = concurrency - sending.size
    if (transport === undefined || limit <= 0) return 'idle'
    for (const mail of await claimMails(pool, { limit, leaseSeconds })) startSending(transport, mail)
    return 'idle'
  }

  function startSending(by: MailTransport, mail: ClaimedMail): void {
    const sendingMail: Promise<void> = send(by, mail)
      .then(
        (outcome) => metrics.count('mails_total', { outcome }),
        (err: unknown) => log.error({ err, mail: mail.mail_id }, 'how a mail ended could not be written down'),
      )
      .finally(() => {
        sending.delete(sendingMail)
        loop.wake()
      })
    sending.add(sendingMail)
  }

  async function send(by: MailTransport, mail: ClaimedMail): Promise<'sent' | 'refused' | 'postponed'> {
    try {
      const mailContent: QueuedMail = JSON.parse(sealer.open(mail.sealed, mail.mail_id))
      await by.send(mailContent, { id: mail.mail_id, signal: AbortSignal.timeout(timeoutMs) })
    } catch (err) {
      const logFields = { err, mail: mail.mail_id, tries: mail.tries }
      if (isPermanentFailure(err)) {
        log.warn(logFields, 'a mail was refused for good')
        await removeMail(pool, mail)
        return 'refused'
      }
      log.warn(logFields, 'a mail could not be sent and is tried again')
      await postponeMail(pool, mail, backoffMs(mail.tries, backoff, Math.random()) / 1000)
      return 'postponed'
    }
    await removeMail(pool, mail)
    return 'sent'
  }

  return {
    name: loop.name,
    async start() {
      if (transport === undefined) log.warn({}, 'there is no SMTP_URL: mails are not sent')
      const wakeOnMailQueue = (queue: string) => {
        if (queue === mailQueue) loop.wake()
      }
      unsubscribeWakes = [database.onWake(wakeOnMailQueue), bus.onWake('auth', mailQueue, loop.wake)]
      await loop.start()
    },
    async stop() {
      for (const unsubscribe of unsubscribeWakes) unsubscribe()
      await loop.stop()
      await Promise.all(sending)
    },
  }
}
