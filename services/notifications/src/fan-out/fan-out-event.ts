import type { NotificationRecipient } from '@wp/contracts'
import { createConsumer, type EventConsumer } from '@wp/events'
import { enqueue, type Job } from '@wp/jobs'
import { type KindEntry, kinds, notifiedKinds } from '../catalog/kinds.ts'
import { notificationText } from '../catalog/notification-text.ts'
import type { Context } from '../context.ts'
import type { Control } from '../store/client.ts'
import { notifyRecipients } from './notify-recipients.ts'
import { userRecipient, workspaceRecipient } from './recipient-directory.ts'

/** The job queue that notifies the members of a workspace of an event. */
export const fanOutQueue = 'fan_out'

/** Events that wait for their turn in this process. */
const maxWaitingEvents = 64

/** The part of an event that its notifications are made of. */
export interface FanOutInput {
  kind: string
  data: Readonly<Record<string, unknown>>
}

/**
 * Creates the handler that notifies the members of a workspace of an event, a page of members per transaction, and the
 * workspace itself. A later attempt continues after the last page; a recipient never gets a second notification of an
 * event.
 */
export const createFanOutHandler =
  (context: Pick<Context, 'recipients' | 'now' | 'mailTransport'>) =>
  async (job: Job, control: Control): Promise<void> => {
    const { kind, data } = job.input as FanOutInput // written by the consumer alone
    const entry = kinds[kind]
    if (entry === undefined) return
    const { category, isCritical = false } = entry
    const content = { eventId: job.id, kind, category, isCritical, ...notificationText(entry, data) }
    const details = entry.details?.(data) ?? null
    let cursor = typeof job.detail.cursor === 'string' ? job.detail.cursor : undefined
    do {
      const page = await context.recipients.page(job.workspaceId, cursor, job.createdAt)
      control.signal.throwIfAborted()
      const recipients = [
        ...(cursor === undefined ? [workspaceRecipient(job.workspaceId)] : []),
        ...page.items.filter(mayRead(entry)).map(userRecipient),
      ]
      await control.checkpoint(async (tx) => {
        await notifyRecipients(context, tx, { entry, content, details, recipients })
        return { detail: { cursor: page.nextCursor } }
      })
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

const mayRead =
  ({ scope }: KindEntry) =>
  ({ scopes }: NotificationRecipient): boolean =>
    scopes.includes(scope) && scopes.includes('notifications:read')

/**
 * Creates the consumer that queues a job for each event. The members are asked of auth, which a consumer must not do in
 * its transaction; and jobs of workspaces take turns, so that a flood of events in one workspace delays no other.
 */
export function createEventConsumer({ database, bus, log, metrics }: Context): EventConsumer {
  return createConsumer({
    database,
    bus,
    service: 'notifications',
    purpose: 'feed',
    kinds: notifiedKinds,
    maxWaiting: maxWaitingEvents,
    async handle({ id, kind, data }, tx) {
      if (tx.workspaceId === null) return
      await enqueue(tx, { id, queue: fanOutQueue, subject: kind, input: { kind, data } })
    },
    log,
    metrics,
  })
}
