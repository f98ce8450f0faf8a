import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { id } from '../core/id.ts'
import { jobFields, timestamp } from '../core/shape.ts'
import { webhookPath } from './shapes.ts'

/** What a delivery can have come to for it to be sent again. */
export const replayableStatuses = ['failed', 'skipped', 'delivered'] as const

const replayed = z.enum(replayableStatuses)

export const NewReplay = z
  .strictObject({
    since: timestamp(),
    until: timestamp(),
    status: z.union([replayed, z.array(replayed).min(1).max(replayableStatuses.length)]).default(['failed', 'skipped']),
  })
  .refine(({ since, until }) => since < until, { path: ['until'], message: 'must be after since' })
  .meta({ id: 'NewWebhookReplay' })

export const Replay = z
  .object({
    id: id('rpl'),
    webhook_id: id('wh'),
    since: timestamp(),
    until: timestamp(),
    delivery_status: z.array(replayed),
    counts: z.object({ matched: z.number().int(), enqueued: z.number().int() }),
    ...jobFields,
  })
  .meta({ id: 'WebhookReplay' })

const replayPath = z.object({ id: id('rpl') })

/** Sending again what was delivered, or was not, in a range of time. */
export const webhookReplays = {
  startReplay: endpoint({
    id: 'webhooks.startReplay',
    method: 'POST',
    path: '/v1/webhooks/webhooks/{webhook_id}/replay',
    summary: 'Send again the deliveries made in a range of time',
    description:
      'Takes the deliveries created at `since` or later and before `until` that are `failed` or `skipped`, or as `status` ' +
      'says, the oldest first. Each is sent as by a resend: the same body under the same request id. 409 while another ' +
      'replay of the subscription has not ended, or while it is disabled.',
    scope: 'webhooks:write',
    params: webhookPath,
    body: NewReplay,
    accepted: Replay,
    location: '/v1/webhooks/replays/{id}',
    errors: ['conflict'],
    audit: { action: 'webhook.replayed', target: 'webhook', field: 'webhook_id' },
  }),
  getReplay: endpoint({
    id: 'webhooks.getReplay',
    method: 'GET',
    path: '/v1/webhooks/replays/{id}',
    summary: 'Read a replay and how far it has come',
    scope: 'webhooks:read',
    params: replayPath,
    ok: Replay,
  }),
  cancelReplay: endpoint({
    id: 'webhooks.cancelReplay',
    method: 'POST',
    path: '/v1/webhooks/replays/{id}/cancel',
    summary: 'Cancel a replay that has not ended; what it has put into the queue is sent',
    scope: 'webhooks:write',
    params: replayPath,
    ok: Replay,
    errors: ['conflict'],
    audit: { action: 'webhook_replay.cancelled', target: 'webhook_replay', field: 'id' },
  }),
}
