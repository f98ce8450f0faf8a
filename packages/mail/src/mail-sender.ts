import type { Database } from '@wp/database'
import type { Bus } from '@wp/events'
import { backoffMs, createLoop, type Log, type Metrics, type PassResult, type Worker } from '@wp/runtime'
import type { Sealer } from '@wp/service'
import { MailFailure } from './mail-failure.ts'
import { mailQueue } from './mail-queue.ts'
import type { QueuedMail } from './mail-template.ts'
import type { MailTransport } from './mail-transport.ts'
import {
  type ClaimedMail,
  claimMails,
  findMsUntilNext,
  markInterrupted,
  markSending,
  markUncertain,
  postponeMail,
  removeExpiredMails,
  removeMail,
} from './mails.ts'

export interface MailSenderOptions {
  database: Pick<Database, 'worker' | 'onWake'>
  bus: Pick<Bus, 'onWake'>
  /** The service whose mails are sent. */
  service: string
  sealer: Sealer
  /** Undefined if no mail server is configured; mails then stay in the queue until they expire. */
  transport: MailTransport | undefined
  log: Log
  metrics: Metrics
  /** Maximum number of mails in flight. Default 4. */
  concurrency?: number
  /** Time limit of one attempt. Default 20,000. */
  timeoutMs?: number
  /** Pause between attempts. Default 1 s, doubling up to 1 min. */
  backoff?: { firstMs: number; maxMs: number }
  /** Interval of the fallback poll, in case a wake is lost. Default 15,000. */
  pollMs?: number
}

/** Shortest pause, while another replica claims what is due. */
const minPauseMs = 20

/** Ratio of lease to attempt timeout: a lease must outlive its attempt by any pause of the process or the network. */
const leaseTimeoutFactor = 3

/**
 * Creates the worker that sends queued mails. Every replica runs it; a lease keeps the others from sending the same
 * mail. No mail is sent again that may have been accepted: if the process or the connection dies after the mail server
 * got the content, the mail ends as `uncertain`.
 */
export function createMailSender(options: MailSenderOptions): Worker {
  const {
    database,
    bus,
    service,
    transport,
    log,
    metrics,
    concurrency = 4,
    timeoutMs = 20_000,
    pollMs = 15_000,
  } = options
  const leaseSeconds = (timeoutMs / 1000) * leaseTimeoutFactor
  const inFlight = new Set<Promise<void>>()
  const loop = createLoop({
    name: 'mail',
    pass,
    pollMs,
    log,
    subscribe: (wake) => [
      database.onWake((queue) => queue === mailQueue && wake()),
      bus.onWake(service, mailQueue, wake),
    ],
    onStopped: () => Promise.all(inFlight),
  })
  if (transport === undefined) log.warn({ event: 'mail.disabled' }, 'SMTP_URL is not set; mails are not sent')

  async function pass(): Promise<PassResult> {
    const dueMs = await findMsUntilNext(database.worker)
    if (dueMs === undefined) return 'idle'
    if (dueMs > 0) return Math.min(dueMs, pollMs)
    await endInterrupted(options)
    await removeExpired(options)
    const limit = concurrency - inFlight.size
    if (transport === undefined || limit <= 0) return 'idle'
    for (const mail of await claimMails(database.worker, { limit, leaseSeconds })) startDelivery(transport, mail)
    if (inFlight.size >= concurrency) return 'idle' // the end of an attempt wakes the loop
    const ms = await findMsUntilNext(database.worker)
    return ms === undefined ? 'idle' : Math.min(Math.max(ms, minPauseMs), pollMs)
  }

  function startDelivery(usedTransport: MailTransport, mail: ClaimedMail): void {
    const { sealer, backoff = { firstMs: 1_000, maxMs: 60_000 } } = options
    const delivery = { pool: database.worker, sealer, transport: usedTransport, log, timeoutMs, backoff }
    const recorded: Promise<void> = deliverMail(delivery, mail)
      .then(
        (outcome) => metrics.count('mails_total', { outcome }),
        (err: unknown) =>
          log.error({ event: 'mail.result_lost', err, mail: mail.mailId }, 'failed to record the mail result'),
      )
      .finally(() => {
        inFlight.delete(recorded)
        loop.wake()
      })
    inFlight.add(recorded)
  }

  return loop
}

async function removeExpired({ database, log, metrics }: MailSenderOptions): Promise<void> {
  const count = await removeExpiredMails(database.worker)
  if (count === 0) return
  log.warn({ event: 'mail.expired', count }, 'removed mails that expired before they could be sent')
  metrics.count('mails_total', { outcome: 'expired' }, count)
}

async function endInterrupted({ database, log, metrics }: MailSenderOptions): Promise<void> {
  const mails = await markInterrupted(database.worker)
  if (mails.length === 0) return
  log.warn(
    { event: 'mail.interrupted', mails },
    'mails may have been accepted by an interrupted attempt; not sent again',
  )
  metrics.count('mails_total', { outcome: 'uncertain' }, mails.length)
}

/** The `outcome` label of the metric `mails_total` for one attempt. */
type MailOutcome = 'sent' | 'refused' | 'postponed' | 'uncertain'

interface MailDeliveryOptions {
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
async function deliverMail(
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
