import { newId } from '@wp/database'
import { type KindEntry, mayBeMailed } from '../catalog/kinds.ts'
import type { NotificationDetails } from '../catalog/plan-details.ts'
import type { Context } from '../context.ts'
import { enqueueDelivery, enqueueDigest } from '../delivery/queues.ts'
import { feedQueue } from '../feed.ts'
import { type DeliveryPlan, isMuted, planDelivery } from '../settings/plan-delivery.ts'
import { applySettings, defaultSettings, type StoredSettings, userSettings } from '../settings/settings.ts'
import type { Tx } from '../store/client.ts'
import { insertDeliveries, listOftenMailed, type NewDelivery } from '../store/deliveries.ts'
import { insertNotifications, type NotificationContent } from '../store/notifications.ts'
import { findSettings } from '../store/settings.ts'
import type { Recipient } from './recipient-directory.ts'

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

/**
 * Critical mails of one kind that a recipient gets at once within an hour. They cannot be turned off, so a script that
 * creates 200 keys must not send each administrator 200 of them: the others are one digest at the next full hour.
 */
const maxMailsAnHour = 5
const hourMs = 3_600_000

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
  const added = planned.filter(({ id }) => inserted.has(id))
  const isCritical = entry.isCritical === true
  // Read after the insertion, whose locks of the feeds let one event after the other count.
  const bounded = isCritical ? await boundMails(tx, content.kind, added, context.now()) : added
  await queueDeliveries(tx, bounded, { details, isCritical })
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

/** Moves the mails of those who got many of the kind within an hour to a digest. */
async function boundMails(
  tx: Tx,
  kind: string,
  planned: readonly PlannedNotification[],
  now: number,
): Promise<PlannedNotification[]> {
  const recipientIds = planned.filter(({ plan }) => plan.email !== undefined).map(({ recipient: { id } }) => id)
  const recent = { kind, since: new Date(now - hourMs), count: maxMailsAnHour }
  const often = new Set((await listOftenMailed(tx, recipientIds, recent)).map(({ recipientId }) => recipientId))
  // The digest of an hour that is about to begin may have listed its mails before these are committed.
  const at = (Math.floor((now + 60_000) / hourMs) + 1) * hourMs
  return planned.map((one) =>
    often.has(one.recipient.id) ? { ...one, plan: { ...one.plan, email: { at, isDigest: true } } } : one,
  )
}

async function queueDeliveries(
  tx: Tx,
  planned: readonly PlannedNotification[],
  { details, isCritical }: Pick<Notice, 'details'> & { isCritical: boolean },
): Promise<void> {
  const deliveries = planned.flatMap(({ id: notificationId, recipient: { id: recipientId }, plan }): NewDelivery[] => [
    ...(plan.email === undefined
      ? []
      : [{ notificationId, recipientId, channel: 'email' as const, isDigest: plan.email.isDigest }]),
    ...(plan.slack === undefined ? [] : [{ notificationId, recipientId, channel: 'slack' as const, isDigest: false }]),
  ])
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries, details)
  for (const { id: notificationId, recipient, plan } of planned) {
    if (plan.email?.isDigest === true)
      await enqueueDigest(tx, { recipientId: recipient.id, isCritical, at: plan.email.at })
    else if (plan.email !== undefined)
      await enqueueDelivery(tx, { notificationId, channel: 'email', at: plan.email.at })
    if (plan.slack !== undefined) await enqueueDelivery(tx, { notificationId, channel: 'slack', at: plan.slack.at })
  }
}
