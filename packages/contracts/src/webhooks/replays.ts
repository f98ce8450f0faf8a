import { z } from 'zod'
import { declareEndpoints, servedBy } from '../core/endpoint/endpoint.ts'
import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'
import { id } from '../core/shape/id.ts'
import { jobFields, timestamp } from '../core/shape/shape.ts'
import { checkTimeRange, timeInput } from '../core/shape/time-input.ts'
import { readPortalPage } from './portal-links.ts'
import { webhookPath } from './shapes.ts'

/** Statuses of deliveries that can be replayed. */
export const replayableStatuses = ['failed', 'skipped', 'delivered'] as const

const replayed = z.enum(replayableStatuses).meta({ id: 'ReplayableStatus' })

export const NewReplay = z
  .strictObject({
    since: timeInput().describe('Start of the range, by the creation of the deliveries'),
    until: timeInput().describe('End of the range, not included'),
    status: z
      .union([replayed, z.array(replayed).min(1).max(replayableStatuses.length)])
      .default(['failed', 'skipped'])
      .describe('Status of the deliveries to send again, or several'),
  })
  .superRefine(checkTimeRange)
  .meta({ id: 'NewWebhookReplay' })

export const Replay = z
  .object({
    id: id('rpl'),
    webhook_id: id('wh'),
    since: timestamp().describe('Start of the range, by the creation of the deliveries'),
    until: timestamp().describe('End of the range, not included'),
    delivery_status: z.array(replayed).describe('Status of the deliveries that are sent again'),
    counts: z
      .object({
        matched: z.number().int().describe('Deliveries of the range with this status'),
        enqueued: z.number().int().describe('Deliveries that are to be sent again'),
      })
      .describe('Numbers of deliveries so far'),
    ...jobFields,
  })
  .meta({ id: 'WebhookReplay' })

const replayPath = z.object({ id: id('rpl') })

/** Replays: sending the deliveries of a time range again. */
export const webhookReplays = declareEndpoints('webhooks', {
  startReplay: {
    method: 'POST',
    path: '/v1/webhooks/webhooks/{webhook_id}/replay',
    summary: 'Start a replay of the deliveries of a time range',
    description:
      'Selects the deliveries created at `since` or later and before `until` that are `failed` or `skipped`, or have the ' +
      'given `status`, oldest first. Each is sent as by a resend: the same body with the same request id. 409 while ' +
      'another replay of the subscription is in progress, or while the subscription is disabled.',
    scope: 'webhooks:write',
    portal: true,
    params: webhookPath,
    body: NewReplay,
    accepted: Replay,
    location: '/v1/webhooks/replays/{id}',
    errors: ['conflict', 'quota_exceeded'],
    audit: { action: 'webhook.replayed', target: 'webhook', field: 'webhook_id' },
  },
  getReplay: {
    method: 'GET',
    path: '/v1/webhooks/replays/{id}',
    summary: 'Read a replay and its progress',
    description: 'Poll it until `status` is `finished`, `failed` or `cancelled`; `progress` goes from 0 to 1.',
    scope: 'webhooks:read',
    portal: true,
    params: replayPath,
    ok: Replay,
  },
  cancelReplay: {
    method: 'POST',
    path: '/v1/webhooks/replays/{id}/cancel',
    summary: 'Cancel a replay in progress; deliveries already enqueued are sent',
    description: 'A replay that has ended cannot be cancelled.',
    scope: 'webhooks:write',
    portal: true,
    params: replayPath,
    ok: Replay,
    errors: ['conflict'],
    audit: { action: 'webhook_replay.cancelled', target: 'webhook_replay', field: 'id' },
  },
})

/** Endpoints of webhook delivery for other services. */
export const webhooksInternal = servedBy('webhook-delivery', {
  readQuotaUsage: quotaUsageEndpoint('webhooks', 'webhook-delivery'),
  readPortalPage,
})
