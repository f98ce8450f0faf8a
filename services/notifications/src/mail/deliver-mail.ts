import { JobFailure } from '@wp/jobs'
import { MailFailure, type MailTransport, type OutgoingMail } from '@wp/mail'
import type { Context } from '../context.ts'
import { recordResult } from '../delivery/record-result.ts'
import type { Control } from '../store/client.ts'
import { changeState, type DeliveryRow } from '../store/deliveries.ts'

/** Limit of one attempt. */
const sendTimeoutMs = 20_000

interface Mailing {
  transport: MailTransport
  mail: OutgoingMail
  /** Identifies the mail; the same for every attempt. */
  id: string
  /** The deliveries that the mail carries. */
  deliveries: readonly DeliveryRow[]
}

/**
 * Sends a mail at most once: that an attempt begins is committed before the mail server is asked. If the process dies
 * in between, or the connection breaks after the content was sent, the mail may have been accepted; it is not sent
 * again and its deliveries end as `uncertain`. Only a mail that was certainly rejected is retried.
 * @throws JobFailure if it was rejected for now
 */
export async function deliverMail(
  context: Pick<Context, 'database' | 'log' | 'metrics'>,
  control: Control,
  { transport, mail, id, deliveries }: Mailing,
): Promise<void> {
  control.signal.throwIfAborted()
  await control.checkpoint(async (tx) => {
    const changed = await changeState(tx, deliveries, { from: 'pending', to: 'sending' })
    if (changed !== deliveries.length) throw new Error('another attempt has begun')
    return {}
  })
  try {
    await transport.send(mail, { id, signal: AbortSignal.timeout(sendTimeoutMs) })
  } catch (err) {
    context.log.warn({ event: 'notification_mail.failed', err, mail: id }, 'failed to send a notification mail')
    const kind = err instanceof MailFailure ? err.kind : 'uncertain'
    if (kind === 'uncertain')
      return recordResult(context, control, deliveries, { to: 'uncertain', reason: 'no valid reply to the content' })
    if (kind === 'rejected')
      return recordResult(context, control, deliveries, { to: 'failed', reason: 'rejected by the mail server' })
    await control.checkpoint(async (tx) => {
      await changeState(tx, deliveries, { from: 'sending', to: 'pending' })
      return { isProgress: false }
    })
    const message = 'The mail server is unavailable or rejected the mail for now'
    throw new JobFailure({ code: 'transient', message, retryable: true }, { cause: err })
  }
  await recordResult(context, control, deliveries, { to: 'sent' })
}
