import { z } from 'zod'
import { declareEndpoints, servedBy } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { SecretOverlap } from '../core/shape/secret-overlap.ts'
import { listQuery, metadataFilter, searchFilter, text, timestamp } from '../core/shape/shape.ts'
import { checkTimeRange, timeInput } from '../core/shape/time-input.ts'
import { deliveryReports } from './delivery-reports.ts'
import { Delivery, DeliveryDetail, deliveryPath, deliveryStates, PolledDeliveries } from './delivery-shapes.ts'
import { webhookReplays } from './replays.ts'
import {
  CreatedSubscription,
  EventKind,
  eventKindFilter,
  NewSubscription,
  Subscription,
  SubscriptionPatch,
  webhookPath,
} from './shapes.ts'

/** Webhook subscriptions, their deliveries, and the catalogue of event kinds. */
export const webhooks = servedBy(
  'webhook-delivery',
  declareEndpoints('webhooks', {
    listSubscriptions: {
      method: 'GET',
      path: '/v1/webhooks/webhooks',
      summary: 'List subscriptions',
      description: 'Lists the subscriptions of the workspace, newest first, with delivery statistics.',
      scope: 'webhooks:read',
      portal: true,
      query: listQuery({
        status: z.enum(['active', 'disabled']).optional(),
        search: searchFilter('the description or the endpoint'),
        event: eventKindFilter('*'),
        external_id: text(200).optional(),
        customer_id: text(200).optional().describe('Only subscriptions of this customer of yours'),
        metadata: metadataFilter(),
      }),
      list: Subscription,
      tool: { name: 'list_webhooks', hints: { readOnly: true } },
    },
    createSubscription: {
      method: 'POST',
      path: '/v1/webhooks/webhooks',
      summary: 'Create a subscription; a generated secret is shown once',
      description:
        'Deliveries of the selected event kinds are sent to `endpoint`, which must be a public HTTPS address. Send a `secret` or `generate_secret`, so that you can verify the signature; without one deliveries are unsigned and `warnings` says so. A generated secret is only in this response.',
      scope: 'webhooks:write',
      portal: true,
      body: NewSubscription,
      created: CreatedSubscription,
      secret: { idField: 'webhook_id', field: 'secret' },
      location: '/v1/webhooks/webhooks/{webhook_id}',
      errors: ['invalid_endpoint', 'unknown_event_kind', 'quota_exceeded'],
      audit: { action: 'webhook.created', target: 'webhook', field: 'webhook_id' },
    },
    getSubscription: {
      method: 'GET',
      path: '/v1/webhooks/webhooks/{webhook_id}',
      summary: 'Read a subscription',
      description:
        'Returns the selected event kinds, the status, and statistics of deliveries. Values of custom headers are masked.',
      scope: 'webhooks:read',
      portal: true,
      params: webhookPath,
      volatile: ['stats', 'warnings'],
      ok: Subscription,
    },
    updateSubscription: {
      method: 'PATCH',
      path: '/v1/webhooks/webhooks/{webhook_id}',
      summary: 'Change, disable or enable a subscription',
      description:
        'Changes the fields that are sent. A new endpoint or secret applies to the next attempt of pending deliveries too. When `endpoint` changes in more than its query, custom headers are dropped unless they are sent again.',
      scope: 'webhooks:write',
      portal: true,
      params: webhookPath,
      body: SubscriptionPatch,
      volatile: ['stats', 'warnings'],
      ok: Subscription,
      errors: ['invalid_endpoint', 'unknown_event_kind'],
      audit: { action: 'webhook.updated', target: 'webhook', field: 'webhook_id' },
    },
    deleteSubscription: {
      method: 'DELETE',
      path: '/v1/webhooks/webhooks/{webhook_id}',
      summary: 'Delete a subscription; its pending deliveries are cancelled',
      description:
        'Deliveries that were made remain readable. To stop for some time, set `status` to `disabled` instead.',
      scope: 'webhooks:write',
      portal: true,
      params: webhookPath,
      deleted: 'webhook_id',
      audit: { action: 'webhook.deleted', target: 'webhook', field: 'webhook_id' },
    },
    getSecret: {
      method: 'GET',
      path: '/v1/webhooks/webhooks/{webhook_id}/secret',
      summary: 'Read the signing secret',
      description: 'Each reading is recorded in the audit log. Null if the subscription has no secret.',
      scope: 'webhooks:write',
      portal: true,
      credentials: ['bearer'],
      params: webhookPath,
      ok: z.object({
        webhook_id: id('wh'),
        secret: z.string().nullable().describe('The secret that signs deliveries; null if they are not signed'),
      }),
      secret: { idField: 'webhook_id' },
      audit: { action: 'webhook.secret_read', target: 'webhook', field: 'webhook_id' },
    },
    rotateSecret: {
      method: 'POST',
      path: '/v1/webhooks/webhooks/{webhook_id}/rotate-secret',
      summary: 'Replace the secret of a subscription; both secrets sign during the overlap',
      description:
        'Until `previous_expires_at` each delivery has the signatures of both secrets, so that the receiver can change without losing one. The new secret is only in this response.',
      scope: 'webhooks:write',
      portal: true,
      credentials: ['bearer'],
      params: webhookPath,
      body: SecretOverlap,
      ok: z.object({
        webhook_id: id('wh'),
        secret: z.string().describe('The new secret, shown in this response only'),
        previous_expires_at: timestamp()
          .nullable()
          .describe('When the previous secret stops signing deliveries; null if it already has, and if there was none'),
      }),
      secret: { idField: 'webhook_id' },
      audit: { action: 'webhook.secret_rotated', target: 'webhook', field: 'webhook_id' },
    },
    sendTest: {
      method: 'POST',
      path: '/v1/webhooks/webhooks/{webhook_id}/test',
      summary: 'Send a WEBHOOK_TEST event to this subscription only',
      description:
        'The delivery is sent whatever kinds the subscription selects, with the normal retries. Read its attempts to see what the receiver answered.',
      scope: 'webhooks:write',
      portal: true,
      params: webhookPath,
      accepted: Delivery,
      location: '/v1/webhooks/deliveries/{request_id}',
      errors: ['conflict'],
      audit: { action: 'webhook.tested', target: 'webhook', field: 'webhook_id' },
    },
    listDeliveries: {
      method: 'GET',
      path: '/v1/webhooks/webhooks/{webhook_id}/deliveries',
      summary: 'List the deliveries to a subscription',
      description:
        'Lists the deliveries to one subscription, newest first, with the status of each and its last error.',
      scope: 'webhooks:read',
      portal: true,
      params: webhookPath,
      query: listQuery({
        status: z.enum(deliveryStates).optional(),
        event: eventKindFilter(),
        since: timeInput().optional(),
        until: timeInput().optional(),
      }).superRefine(checkTimeRange),
      list: Delivery,
      tool: { name: 'list_webhook_deliveries', hints: { readOnly: true } },
    },
    pollDeliveries: {
      method: 'GET',
      path: '/v1/webhooks/webhooks/{webhook_id}/poll',
      summary: 'Poll the deliveries of a subscription',
      description:
        'The waiting deliveries, in the order of their events. Sending `next_cursor` with the next request acknowledges the ' +
        'items of this response, which are then `delivered`. Without it the same items are returned again, so each is ' +
        'received at least once.',
      scope: 'webhooks:write',
      params: webhookPath,
      query: z.strictObject({
        limit: z.coerce.number<number>().int().min(1).max(100).default(25),
        cursor: z.string().max(512).optional(),
      }),
      ok: PolledDeliveries,
      errors: ['conflict', 'invalid_cursor'],
    },
    getDelivery: {
      method: 'GET',
      path: '/v1/webhooks/deliveries/{request_id}',
      summary: 'Read a delivery with every attempt',
      description: 'Each attempt has its time, status, timings, and the beginning of the response of the receiver.',
      scope: 'webhooks:read',
      portal: true,
      params: deliveryPath,
      ok: DeliveryDetail,
    },
    resendDelivery: {
      method: 'POST',
      path: '/v1/webhooks/deliveries/{request_id}/resend',
      summary: 'Send a delivery again, with the same body and request id',
      description:
        'Also a delivery that succeeded can be sent again. The receiver gets the same `request_id`, by which it can recognize a repetition.',
      scope: 'webhooks:write',
      portal: true,
      params: deliveryPath,
      accepted: Delivery,
      location: '/v1/webhooks/deliveries/{request_id}',
      errors: ['conflict'],
      audit: { action: 'delivery.resent', target: 'delivery', field: 'request_id' },
    },
    listEventKinds: {
      method: 'GET',
      path: '/v1/webhooks/events',
      summary: 'List the event kinds, with schemas and examples',
      description:
        'Lists the kinds that a subscription can select. Each has a JSON Schema of its payload and an example.',
      scope: 'webhooks:read',
      portal: true,
      query: listQuery({}),
      list: EventKind,
    },
    ...deliveryReports,
    ...webhookReplays,
  }),
)
