import { newId } from '@wp/database'
import { type KindEntry, mayBeMailed } from '../catalog/kinds.ts'
import type { NotificationDetails } from '../catalog/plan-details.ts'
import type { Context } from '../context.ts'
import { enqueueDelivery, enqueueDigest } from '../delivery/queues.ts'
import { feedQueue } from '../feed/follow-feed.ts'
import type { Recipient } from '../recipients/recipient.ts'
import { type DeliveryPlan, isMuted, planDelivery } from '../settings/plan-delivery.ts'
import { applySettings, defaultSettings, type StoredSettings, userSettings } from '../settings/settings.ts'
import type { Tx } from '../store/client.ts'
import { insertDeliveries, type NewDelivery } from '../store/deliveries.ts'
import { insertNotifications, type NotificationContent } from '../store/insert-notifications.ts'
import { findSettings } from '../store/settings.ts'

interface Notice {
  entry: KindEntry
  content: NotificationContent
  details: NotificationDetails | null
  recipients: readonly Recipient[]
}

interface PlannedNotification {
  id: string
  recipient: Recipient
  plan: DeliveryPlan
}

/** Inserts the notifications of some recipients and queues their mails and Slack messages. */
export async function notifyRecipients(
  context: Pick<Context, 'now' | 'mailTransport'>,
  tx: Tx,
  { entry, content, details, recipients }: Notice,
): Promise<void> {
  const planned = (await planAll(context, tx, entry, recipients)).filter(({ plan }) => !isMuted(plan))
  const inserted = await insertNotifications(
    tx,
    content,
    planned.map(({ id, recipient, plan }) => ({ id, recipientId: recipient.id, isInApp: plan.isInApp })),
  )
  await queueDeliveries(
    tx,
    planned.filter(({ id }) => inserted.has(id)),
    details,
  )
  tx.wake(feedQueue(tx.workspaceId ?? ''))
}

async function planAll(
  { now, mailTransport }: Pick<Context, 'now' | 'mailTransport'>,
  tx: Tx,
  kind: KindEntry,
  recipients: readonly Recipient[],
): Promise<PlannedNotification[]> {
  const workspaceId = tx.workspaceId ?? ''
  const rows = await findSettings<StoredSettings>(tx.query, workspaceId, [
    workspaceId,
    ...recipients.map(({ id }) => id),
  ])
  const stored = new Map(rows.map(({ recipientId, values }) => [recipientId, values]))
  const ofWorkspace = stored.get(workspaceId)
  return recipients.map((recipient) => {
    const { id, isUser, timezone, scopes } = recipient
    const settings = isUser ? userSettings(ofWorkspace, stored.get(id)) : applySettings(defaultSettings, ofWorkspace)
    const hasEmail = isUser && mailTransport !== undefined && mayBeMailed(kind, scopes)
    return { id: newId('ntf'), recipient, plan: planDelivery({ kind, settings, now: now(), timezone, hasEmail }) }
  })
}

async function queueDeliveries(
  tx: Tx,
  planned: readonly PlannedNotification[],
  details: NotificationDetails | null,
): Promise<void> {
  const deliveries = planned.flatMap(({ id: notificationId, recipient: { id: recipientId }, plan }): NewDelivery[] => [
    ...(plan.email === undefined
      ? []
      : [{ notificationId, recipientId, channel: 'email' as const, isDigest: plan.email.isDigest }]),
    ...(plan.slack === undefined ? [] : [{ notificationId, recipientId, channel: 'slack' as const, isDigest: false }]),
  ])
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries, details)
  for (const { id: notificationId, recipient, plan } of planned) {
    if (plan.email?.isDigest === true) await enqueueDigest(tx, { recipientId: recipient.id, at: plan.email.at })
    else if (plan.email !== undefined)
      await enqueueDelivery(tx, { notificationId, channel: 'email', at: plan.email.at })
    if (plan.slack !== undefined) await enqueueDelivery(tx, { notificationId, channel: 'slack', at: plan.slack.at })
  }
}
