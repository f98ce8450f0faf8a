import { integrationsInternal, Problem } from '@wp/contracts'
import { type Job, JobFailure } from '@wp/jobs'
import { reportIntegrationUse } from '@wp/service/integration-uses'
import { forReader } from '../catalog/notification-text.ts'
import type { DetailBlock, NotificationDetails } from '../catalog/plan-details.ts'
import type { Context } from '../context.ts'
import { recordInterrupted, recordResult, recordSkipped, resolveRecipient, skipReason } from '../delivery/delivery.ts'
import type { DeliveryInput } from '../delivery/queues.ts'
import { applySettings, defaultSettings, type Settings, type StoredSettings } from '../settings/settings.ts'
import type { Control } from '../store/client.ts'
import { changeState, type DeliveryRow, findDelivery } from '../store/deliveries.ts'
import { findSettings } from '../store/settings.ts'
import { type PostResult, postMessage } from './post-message.ts'

/** Rows of a table; the others are counted. A message should have at most 4,000 characters. */
const maxRows = 20

type SlackSettings = NonNullable<Settings['slack']>

/**
 * Creates the handler that posts one notification to Slack, at most once as mails are. The settings and the integration
 * are read again, because they may have changed while it waited.
 */
export const createSlackHandler =
  (context: Context) =>
  async (job: Job, control: Control): Promise<void> => {
    const { notificationId } = job.input as DeliveryInput // written by enqueueDelivery alone
    const { workspaceId } = job
    const delivery = await context.database.read({ workspaceId }, (_db, query) =>
      findDelivery(query, workspaceId, { notificationId, channel: 'slack' }),
    )
    if (delivery?.state === 'sending') return recordInterrupted(control, [delivery])
    if (delivery?.state !== 'pending') return
    const slack = await findDestination(context, workspaceId, delivery)
    if (typeof slack === 'string') return recordSkipped(control, [delivery], slack)
    const integration = await resolveIntegration(context, control, slack)
    if (integration === undefined) return recordSkipped(control, [delivery], 'the integration cannot be used')
    const result = await post(context, control, delivery, { ...slack, secrets: integration.secrets })
    await reportUse(context, control, { ...slack, revision: integration.revision }, result)
    await recordResult(context, control, [delivery], {
      to: result.outcome,
      ...('reason' in result ? { reason: result.reason } : {}),
    })
  }

/** Returns where a notification is posted, or the reason why it is not. */
async function findDestination(
  context: Context,
  workspaceId: string,
  delivery: DeliveryRow,
): Promise<SlackSettings | string> {
  const { recipientId } = delivery
  if (recipientId !== workspaceId) {
    const recipient = await resolveRecipient(context, workspaceId, recipientId)
    return skipReason(delivery, recipient, 'slack') ?? recipient?.settings.slack ?? 'no channel'
  }
  const [row] = await context.database.read({ workspaceId }, (_db, query) =>
    findSettings<StoredSettings>(query, workspaceId, [workspaceId]),
  )
  return applySettings(defaultSettings, row?.values).slack ?? 'no channel'
}

async function resolveIntegration(
  { internal }: Context,
  { caller: { workspaceId, requestId } }: Control,
  { integration_id }: SlackSettings,
) {
  const input = { params: { integration_id } }
  try {
    const about = { workspaceId, requestId }
    const found = await internal.callDelegated('slack_channel', integrationsInternal.resolveSecret, about, input)
    return found.provider === 'slack' ? found : undefined
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return undefined
    throw error
  }
}

/** Commits that an attempt begins, then posts. A message that was certainly not posted is pending again. */
async function post(
  context: Context,
  control: Control,
  delivery: DeliveryRow,
  destination: Parameters<typeof postMessage>[1],
): Promise<PostResult> {
  control.signal.throwIfAborted()
  await control.checkpoint(async (tx) => {
    if ((await changeState(tx, [delivery], { from: 'pending', to: 'sending' })) === 0)
      throw new Error('another attempt has begun')
    return {}
  })
  try {
    return await postMessage(context, destination, slackMessage(delivery))
  } catch (error) {
    if (error instanceof JobFailure)
      await control.checkpoint(async (tx) => {
        await changeState(tx, [delivery], { from: 'sending', to: 'pending' })
        return { isProgress: false }
      })
    throw error
  }
}

/**
 * Reports the use to the integration, whose status shows rejected credentials. Never rejects: the next use reports
 * again.
 */
async function reportUse(
  context: Context,
  { caller: { workspaceId, requestId } }: Control,
  { integration_id, revision }: SlackSettings & { revision: number },
  result: PostResult,
): Promise<void> {
  const body =
    result.outcome === 'failed'
      ? { outcome: result.isUnauthorized ? ('unauthorized' as const) : ('error' as const), message: result.reason }
      : { outcome: 'ok' as const }
  await reportIntegrationUse(context, { workspaceId, requestId }, integration_id, { ...body, revision })
}

/** Renders a notification as the text of a Slack message. Texts of users cannot mention anyone or become links. */
export function slackMessage({ title, body, details }: { title: string; body: string; details: unknown }): string {
  const blocks = (details ?? []) as NotificationDetails // written by the fan-out alone
  const text = forReader(body, { locale: null, timezone: null })
  return [`*${escapeSlack(title)}*`, escapeSlack(text), ...blocks.map(renderBlock)].join('\n')
}

/** Escapes the control characters of Slack's markup (https://docs.slack.dev/messaging/formatting-message-text). */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function renderBlock(block: DetailBlock): string {
  if ('heading' in block) return `\n*${escapeSlack(block.heading)}*`
  if ('text' in block) return escapeSlack(block.text)
  if ('list' in block) return block.list.map((item) => `• ${escapeSlack(item)}`).join('\n')
  const { columns, rows } = block.table
  const lines = rows.slice(0, maxRows).map((row) => {
    const [first = '', ...cells] = row.map(escapeSlack)
    // A phone has no room for columns, and an empty cell says nothing.
    const named = cells.flatMap((cell, at) => (cell === '–' ? [] : `${columns[at + 1]?.label.toLowerCase()} ${cell}`))
    return `• *${first}*: ${named.length === 0 ? '–' : named.join(', ')}`
  })
  return [...lines, ...(rows.length > maxRows ? [`… and ${rows.length - maxRows} more`] : [])].join('\n')
}
