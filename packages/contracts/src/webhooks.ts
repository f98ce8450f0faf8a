import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { webhookEventKinds } from './events.ts'
import { id } from './id.ts'
import { listQuery, metadata, metadataFilter, text, timestamp } from './shape.ts'

/** 1 to 256 printable ASCII characters; one that begins with `whsec_` must decode to 24 to 64 bytes (Standard Webhooks). */
const secret = z
  .string()
  .regex(/^[\x20-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters')
  .refine(
    (value) => !value.startsWith('whsec_') || decodesTo(value.slice(6), 24, 64),
    'whsec_ must be followed by base64 of 24 to 64 bytes',
  )

function decodesTo(base64: string, min: number, max: number): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return false
  const length = (base64.length / 4) * 3 - (base64.match(/=/g)?.length ?? 0)
  return length >= min && length <= max
}

const kinds = z
  .array(text(100))
  .min(1)
  .max(100)
  .meta({ description: `Event kinds, or "*" for all: ${webhookEventKinds.join(', ')}` })

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'must be a header name')
const headerValue = z.string().regex(/^[\x20-\x7e]{0,1024}$/, 'must be printable ASCII of at most 1,024 characters')
const fewHeaders = (headers: object) => Object.keys(headers).length <= 20

const customHeaders = z.record(headerName, headerValue).refine(fewHeaders, 'must have at most 20 headers')

/** Values are masked when read, so a change names the ones it is about; null removes one. */
const headersPatch = z.record(headerName, headerValue.nullable()).refine(fewHeaders, 'must have at most 20 headers')

const deliveryStates = ['pending', 'delivered', 'failed', 'skipped', 'cancelled'] as const

export const Subscription = z
  .object({
    webhook_id: id('wh'),
    endpoint: z.string(),
    events: z.array(z.string()),
    has_secret: z.boolean(),
    status: z.enum(['active', 'disabled']),
    disabled_reason: z.string().nullable(),
    disabled_at: timestamp().nullable(),
    description: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    ordering: z.enum(['best_effort']),
    stats: z.object({
      pending: z.number().int(),
      delivered: z.number().int(),
      failed: z.number().int(),
      last_success_at: timestamp().nullable(),
      last_failure_at: timestamp().nullable(),
    }),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'WebhookSubscription' })

const NewSubscription = z
  .strictObject({
    endpoint: z.string().max(2048),
    secret: secret.optional(),
    events: kinds,
    description: text(500).nullable().default(null),
    headers: customHeaders.default({}),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .meta({ id: 'NewWebhookSubscription' })

const SubscriptionPatch = z.strictObject({
  endpoint: z.string().max(2048).optional(),
  secret: secret.nullable().optional(),
  events: kinds.optional(),
  status: z.enum(['active', 'disabled']).optional(),
  description: text(500).nullable().optional(),
  headers: headersPatch.nullable().optional(),
  metadata: metadata().nullable().optional(),
  external_id: text(200).nullable().optional(),
})

const Attempt = z
  .object({
    id: id('att'),
    number: z.number().int(),
    outcome: z.enum(['delivered', 'failed']),
    status_code: z.number().int().nullable(),
    error_kind: z.string().nullable(),
    error_message: z.string().nullable(),
    address: z.string().nullable(),
    timings: z.object({
      dns_ms: z.number().nullable(),
      connect_ms: z.number().nullable(),
      tls_ms: z.number().nullable(),
      first_byte_ms: z.number().nullable(),
      total_ms: z.number(),
    }),
    response_headers: z.record(z.string(), z.string()),
    response_body: z.string().nullable(),
    response_truncated: z.boolean(),
    started_at: timestamp(),
    finished_at: timestamp(),
  })
  .meta({ id: 'DeliveryAttempt' })

const deliveryFields = {
  request_id: id('dlv'),
  webhook_id: id('wh'),
  event_id: id('evt'),
  event: z.string(),
  status: z.enum(deliveryStates),
  attempt_count: z.number().int(),
  next_attempt_at: timestamp().nullable(),
  last_status_code: z.number().int().nullable(),
  last_error_kind: z.string().nullable(),
  occurred_at: timestamp(),
  delivered_at: timestamp().nullable(),
  created_at: timestamp(),
  updated_at: timestamp(),
}

const Delivery = z.object(deliveryFields).meta({ id: 'Delivery' })
const DeliveryDetail = z
  .object({ ...deliveryFields, body: z.string(), attempts: z.array(Attempt) })
  .meta({ id: 'DeliveryWithAttempts' })

const EventKind = z
  .object({
    kind: z.string(),
    summary: z.string(),
    schema: z.record(z.string(), z.unknown()),
    example: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'EventKind' })

const webhookPath = z.object({ webhook_id: id('wh') })
const deliveryPath = z.object({ request_id: id('dlv') })

/** Subscriptions, and what was delivered to them. Kept by the webhook-delivery service; `webhooks` is the public door. */
export const webhooks = {
  listSubscriptions: endpoint({
    id: 'webhooks.listSubscriptions',
    method: 'GET',
    path: '/v1/webhooks/webhooks',
    summary: 'List subscriptions',
    scope: 'webhooks:read',
    query: listQuery({
      status: z.enum(['active', 'disabled']).optional(),
      event: text(100).optional(),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    list: Subscription,
  }),
  createSubscription: endpoint({
    id: 'webhooks.createSubscription',
    method: 'POST',
    path: '/v1/webhooks/webhooks',
    summary: 'Subscribe an HTTPS endpoint to events',
    scope: 'webhooks:write',
    body: NewSubscription,
    created: Subscription,
    location: '/v1/webhooks/webhooks/{webhook_id}',
    errors: ['invalid_endpoint', 'unknown_event_kind'],
    audit: { action: 'webhook.created', target: 'webhook', field: 'webhook_id' },
  }),
  getSubscription: endpoint({
    id: 'webhooks.getSubscription',
    method: 'GET',
    path: '/v1/webhooks/webhooks/{webhook_id}',
    summary: 'Read a subscription',
    scope: 'webhooks:read',
    params: webhookPath,
    ok: Subscription,
  }),
  updateSubscription: endpoint({
    id: 'webhooks.updateSubscription',
    method: 'PATCH',
    path: '/v1/webhooks/webhooks/{webhook_id}',
    summary: 'Change, disable or enable a subscription',
    scope: 'webhooks:write',
    params: webhookPath,
    body: SubscriptionPatch,
    ok: Subscription,
    errors: ['invalid_endpoint', 'unknown_event_kind'],
    audit: { action: 'webhook.updated', target: 'webhook', field: 'webhook_id' },
  }),
  deleteSubscription: endpoint({
    id: 'webhooks.deleteSubscription',
    method: 'DELETE',
    path: '/v1/webhooks/webhooks/{webhook_id}',
    summary: 'Remove a subscription; what is pending for it is cancelled',
    scope: 'webhooks:write',
    params: webhookPath,
    deleted: 'webhook_id',
    audit: { action: 'webhook.deleted', target: 'webhook', field: 'webhook_id' },
  }),
  getSecret: endpoint({
    id: 'webhooks.getSecret',
    method: 'GET',
    path: '/v1/webhooks/webhooks/{webhook_id}/secret',
    summary: 'Read the signing secret',
    scope: 'webhooks:write',
    credentials: ['bearer'],
    params: webhookPath,
    ok: z.object({ webhook_id: id('wh'), secret: z.string().nullable() }),
    secret: { id: 'webhook_id' },
    audit: { action: 'webhook.secret_read', target: 'webhook', field: 'webhook_id' },
  }),
  rotateSecret: endpoint({
    id: 'webhooks.rotateSecret',
    method: 'POST',
    path: '/v1/webhooks/webhooks/{webhook_id}/rotate-secret',
    summary: 'Give a subscription a new secret; both sign during the overlap',
    scope: 'webhooks:write',
    credentials: ['bearer'],
    params: webhookPath,
    body: z.strictObject({ overlap_seconds: z.number().int().min(0).max(604_800).default(86_400) }),
    ok: z.object({ webhook_id: id('wh'), secret: z.string(), previous_expires_at: timestamp().nullable() }),
    secret: { id: 'webhook_id' },
    audit: { action: 'webhook.secret_rotated', target: 'webhook', field: 'webhook_id' },
  }),
  sendTest: endpoint({
    id: 'webhooks.sendTest',
    method: 'POST',
    path: '/v1/webhooks/webhooks/{webhook_id}/test',
    summary: 'Send a WEBHOOK_TEST event to this subscription alone',
    scope: 'webhooks:write',
    params: webhookPath,
    accepted: Delivery,
    location: '/v1/webhooks/deliveries/{request_id}',
    errors: ['conflict'],
    audit: { action: 'webhook.tested', target: 'webhook', field: 'webhook_id' },
  }),
  listDeliveries: endpoint({
    id: 'webhooks.listDeliveries',
    method: 'GET',
    path: '/v1/webhooks/webhooks/{webhook_id}/deliveries',
    summary: 'List the deliveries to a subscription',
    scope: 'webhooks:read',
    params: webhookPath,
    query: listQuery({
      status: z.enum(deliveryStates).optional(),
      event: text(100).optional(),
      since: timestamp().optional(),
      until: timestamp().optional(),
    }),
    list: Delivery,
  }),
  getDelivery: endpoint({
    id: 'webhooks.getDelivery',
    method: 'GET',
    path: '/v1/webhooks/deliveries/{request_id}',
    summary: 'Read a delivery with every attempt',
    scope: 'webhooks:read',
    params: deliveryPath,
    ok: DeliveryDetail,
  }),
  resendDelivery: endpoint({
    id: 'webhooks.resendDelivery',
    method: 'POST',
    path: '/v1/webhooks/deliveries/{request_id}/resend',
    summary: 'Send a delivery again: the same body under the same request id',
    scope: 'webhooks:write',
    params: deliveryPath,
    accepted: Delivery,
    location: '/v1/webhooks/deliveries/{request_id}',
    errors: ['conflict'],
    audit: { action: 'delivery.resent', target: 'delivery', field: 'request_id' },
  }),
  listEventKinds: endpoint({
    id: 'webhooks.listEventKinds',
    method: 'GET',
    path: '/v1/webhooks/events',
    summary: 'The catalogue of event kinds, with schemas and examples',
    scope: 'webhooks:read',
    query: listQuery({}),
    list: EventKind,
  }),
}
