import { consolePageOf } from '@wp/contracts'
import type { Job } from '@wp/jobs'
import { type MailTemplate, renderMail } from '@wp/mail'
import { kinds } from '../catalog/kinds.ts'
import type { NotificationDetails } from '../catalog/plan-details.ts'
import type { Context } from '../context.ts'
import type { DeliveryInput } from '../delivery/queues.ts'
import { recordInterrupted, recordSkipped } from '../delivery/record-result.ts'
import { type DeliveryRecipient, resolveRecipient, skipReason } from '../delivery/resolve-recipient.ts'
import type { Control } from '../store/client.ts'
import { type DeliveryRow, findDelivery } from '../store/deliveries.ts'
import { deliverMail } from './deliver-mail.ts'
import { notificationMail, unsubscribeUrl } from './notification-mail.ts'

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
