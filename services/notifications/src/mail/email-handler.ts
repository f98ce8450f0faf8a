import { consolePageOf } from '@wp/contracts'
import { type Job, JobFailure } from '@wp/jobs'
import { MailFailure, type MailTemplate, type MailTransport, type OutgoingMail, renderMail } from '@wp/mail'
import { kinds } from '../catalog/kinds.ts'
import type { NotificationDetails } from '../catalog/plan-details.ts'
import type { Context } from '../context.ts'
import {
  type DeliveryRecipient,
  recordInterrupted,
  recordResult,
  recordSkipped,
  resolveRecipient,
  skipReason,
} from '../delivery/delivery.ts'
import type { DeliveryInput } from '../delivery/queues.ts'
import type { Control } from '../store/client.ts'
import { changeState, type DeliveryRow, findDelivery } from '../store/deliveries.ts'
import { notificationMail, unsubscribeUrl } from './notification-mail.ts'

/** Limit of one attempt. */
const sendTimeoutMs = 20_000

/**
 * Creates the handler that mails one notification. The recipient is read again, because the mail may have waited for
 * the end of quiet hours.
 */
export const createEmailHandler =
  (context: Context) =>
  async (job: Job, control: Control): Promise<void> => {
    const { database, mailTransport: transport } = context
    const { notificationId } = job.input as DeliveryInput // written by enqueueDelivery alone
    const { workspaceId } = job
    const delivery = await database.read({ workspaceId }, (_db, query) =>
      findDelivery(query, workspaceId, { notificationId, channel: 'email' }),
    )
    if (delivery?.state === 'sending') return recordInterrupted(control, [delivery])
    if (delivery?.state !== 'pending') return
    const recipient = await resolveRecipient(context, workspaceId, delivery.recipientId)
    const reason = transport === undefined ? 'no mail server' : skipReason(delivery, recipient, 'email')
    if (transport === undefined || recipient === undefined || reason !== undefined)
      return recordSkipped(control, [delivery], reason ?? 'not sent')
    const mail = {
      to: recipient.email,
      ...renderNotification(context, workspaceId, recipient, delivery),
    }
    await deliverMail(context, control, { transport, mail, id: notificationId, deliveries: [delivery] })
  }

/** Renders the mail of a notification, with a link to unsubscribe unless it is critical. */
function renderNotification(
  context: Pick<Context, 'config' | 'unsubscribeTokens'>,
  workspaceId: string,
  recipient: DeliveryRecipient,
  notification: DeliveryRow,
) {
  const category = kinds[notification.kind]?.category
  const details = notification.details as NotificationDetails | null // written by the fan-out alone
  const render = (template: MailTemplate) => renderMail(template, context.config.PRODUCT_NAME)
  const shared = {
    reader: recipient,
    workspaceName: recipient.workspace_name,
    details,
    consoleUrl: consoleUrl(context, workspaceId, notification),
  }
  if (notification.isCritical || category === undefined)
    return render(notificationMail(notification, { ...shared, unsubscribe: undefined }))
  const url = unsubscribeUrl(context, { workspaceId, userId: notification.recipientId, mails: category })
  const unsubscribe = { mails: category, url }
  return { ...render(notificationMail(notification, { ...shared, unsubscribe })), unsubscribeUrl: url }
}

/** Returns the address of the page of the console about a notification; undefined if there is none. */
function consoleUrl(
  { config }: Pick<Context, 'config'>,
  workspaceId: string,
  notification: { kind: string; link: string | null },
): string | undefined {
  const page = consolePageOf(notification)
  return page === undefined ? undefined : `${config.PUBLIC_BASE_URL.replace(/\/+$/, '')}/console/${workspaceId}/${page}`
}

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
