import type { Job } from '@wp/jobs'
import { renderMail } from '@wp/mail'
import type { Context } from '../context.ts'
import {
  type DeliveryRecipient,
  recordInterrupted,
  recordSkipped,
  resolveRecipient,
  skipReason,
} from '../delivery/delivery.ts'
import type { DigestInput } from '../delivery/queues.ts'
import type { Control } from '../store/client.ts'
import { type DeliveryRow, listForDigest } from '../store/deliveries.ts'
import { deliverMail } from './email-handler.ts'
import { digestMail, unsubscribeUrl } from './notification-mail.ts'

/** Notifications that one digest stands for. A feed keeps no more. */
const maxPerDigest = 1_000

/** Creates the handler that mails the collected notifications of one user. */
export const createDigestHandler =
  (context: Context) =>
  async (job: Job, control: Control): Promise<void> => {
    const { recipientId, isCritical = false } = job.input as DigestInput // written by enqueueDigest alone
    const { workspaceId } = job
    const rows = await context.database.read({ workspaceId }, (_db, query) =>
      listForDigest(query, workspaceId, { recipientId, isCritical, limit: maxPerDigest }),
    )
    const interrupted = rows.filter(({ state }) => state === 'sending')
    if (interrupted.length > 0) await recordInterrupted(control, interrupted)
    const recipient = await resolveRecipient(context, workspaceId, recipientId)
    const pending = await skipUnwanted(
      control,
      rows.filter(({ state }) => state === 'pending'),
      recipient,
    )
    const { mailTransport: transport } = context
    if (pending.length === 0 || recipient === undefined || transport === undefined) return
    const url = isCritical ? undefined : unsubscribeUrl(context, { workspaceId, userId: recipientId, mails: 'all' })
    const template = digestMail(pending, {
      count: pending.length,
      reader: recipient,
      workspaceName: recipient.workspace_name,
      consoleUrl: `${context.config.PUBLIC_BASE_URL.replace(/\/+$/, '')}/console/${workspaceId}/notifications`,
      unsubscribe: url === undefined ? undefined : { mails: 'all', url },
    })
    const mail = {
      to: recipient.email,
      ...renderMail(template, context.config.PRODUCT_NAME),
      ...(url === undefined ? {} : { unsubscribeUrl: url }),
    }
    await deliverMail(context, control, { transport, mail, id: job.id, deliveries: pending })
  }

/** Ends the deliveries that are no longer mailed. @returns the others */
async function skipUnwanted(
  control: Control,
  deliveries: readonly DeliveryRow[],
  recipient: DeliveryRecipient | undefined,
): Promise<DeliveryRow[]> {
  const wanted: DeliveryRow[] = []
  const unwanted = new Map<string, DeliveryRow[]>()
  for (const delivery of deliveries) {
    const reason = skipReason(delivery, recipient, 'email')
    if (reason === undefined) wanted.push(delivery)
    else unwanted.set(reason, [...(unwanted.get(reason) ?? []), delivery])
  }
  for (const [reason, skipped] of unwanted) await recordSkipped(control, skipped, reason)
  return wanted
}
