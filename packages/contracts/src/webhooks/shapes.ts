import { z } from 'zod'
import { nearestName } from '../core/error/nearest-name.ts'
import { boundedRecord } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { metadata, metadataPatch, text, timestamp } from '../core/shape/shape.ts'
import { webAddress } from '../core/shape/web-address.ts'
import { webhookEventKinds } from '../events/webhook-events.ts'
import { NewWebhookAuthentication, WebhookAuthentication } from './authentication.ts'
import { headerName, headerValue, maskedValue } from './destination-config.ts'
import { EventFilter } from './event-filter.ts'

/**
 * A signing secret: 1 to 256 printable ASCII characters; after `whsec_`, base64 of 24 to 64 bytes (Standard Webhooks).
 */
export const webhookSecret = z
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

export const eventKindList = z
  .array(text(100))
  .min(1)
  .max(100)
  .describe(`Event kinds, or "*" for all: ${webhookEventKinds.join(', ')}`)

/** A filter by event kind. One that does not exist would match nothing, and is refused. */
export const eventKindFilter = (...others: string[]) =>
  text(100)
    .refine((kind) => [...webhookEventKinds, ...others].includes(kind), {
      error: ({ input }) => {
        const nearest = nearestName(`${input}`, webhookEventKinds)
        const hint = nearest === undefined ? '' : `did you mean ${nearest}? `
        return `is not a known event kind; ${hint}GET /v1/webhooks/events lists them`
      },
    })
    .optional()

const maxHeaders = 20

const unmasked = (advice: string) =>
  headerValue.refine((value) => value !== maskedValue, `is the mask of a stored value${advice}`)
const customHeaders = boundedRecord(headerName, unmasked(''), maxHeaders)

/** Values are masked when read, so a change contains only the headers it sets; null removes one. */
const headersPatch = boundedRecord(headerName, unmasked('; leave it out to keep that value').nullable(), 2 * maxHeaders)

const deliveryModes = ['push', 'poll'] as const

const deliveryMeta = {
  description:
    '`poll`: the receiver requests its deliveries; nothing is sent to an endpoint. For receivers that cannot be reached ' +
    'from outside',
}

/** Limits of a rate: from one attempt in 100 seconds. */
const [minRateLimit, maxRateLimit] = [0.01, 1_000]

const rateLimit = () =>
  z
    .number()
    .min(minRateLimit)
    .max(maxRateLimit)
    .nullable()
    .describe('Attempts per second at most, evenly spaced and with retries; null: as fast as it accepts them')

const orderings = ['best_effort', 'strict'] as const

const orderingMeta = {
  description:
    '`strict`: one delivery at a time, in the order of the events; a failed delivery is retried before the next is sent, ' +
    'until its attempts are exhausted',
}

export const Subscription = z
  .object({
    webhook_id: id('wh'),
    delivery: z
      .enum(deliveryModes)
      .describe('`push`: deliveries are sent to the endpoint. `poll`: the receiver requests them'),
    endpoint: z.string().nullable().describe('The URL that deliveries are sent to; null for `poll` without one'),
    events: z.array(z.string()).describe('The selected event kinds; `*` stands for all, also for later ones'),
    filter: EventFilter.nullable().describe(
      'Conditions that the payload of an event must meet; null: every event of the kinds',
    ),
    has_secret: z.boolean().describe('True if deliveries are signed'),
    status: z
      .enum(['active', 'disabled'])
      .describe('A `disabled` subscription gets no deliveries; its events are recorded as `skipped`'),
    disabled_reason: z
      .string()
      .nullable()
      .describe(
        '`requested`, `gone` (the receiver responded 410), `failing`, or `session_ended` (of the application that made it)',
      ),
    disabled_at: timestamp().nullable().describe('When it was disabled; null while it is active'),
    description: z.string().nullable().describe('Purpose, for people; null if it has none'),
    customer_id: z
      .string()
      .nullable()
      .describe(
        'Your own identifier of the customer who manages it in the webhook portal; null: only the workspace does',
      ),
    customer_filter: EventFilter.nullable().describe(
      'Conditions besides `filter` that the customer does not see; null: none',
    ),
    headers: z.record(z.string(), z.string()).describe('Your own header fields of each delivery, with masked values'),
    authentication: WebhookAuthentication.nullable().describe(
      'How deliveries authenticate at the endpoint, without secrets; null if they do not',
    ),
    rate_limit: z
      .number()
      .nullable()
      .describe('Attempts per second at most, with retries; null: as fast as the receiver accepts them'),
    ordering: z
      .enum(orderings)
      .describe('`best_effort`: deliveries run beside each other. `strict`: one at a time, in the order of the events'),
    stats: z
      .object({
        pending: z.number().int().describe('At most 10,000, which then means 10,000 or more'),
        delivered: z.number().int().describe('Deliveries that arrived'),
        failed: z.number().int().describe('Deliveries whose attempts are exhausted'),
        filtered: z.number().int().describe('Events that did not pass the filter'),
        last_success_at: timestamp().nullable().describe('Time of the last successful attempt; null before the first'),
        last_failure_at: timestamp().nullable().describe('Time of the last failed attempt; null before the first'),
        /** Null while no delivery is pending. */
        next_attempt_at: timestamp()
          .nullable()
          .describe('When the next pending delivery is due; null while none is pending'),
        window_hours: z.number().int().describe('Period of the following fields, up to now'),
        success_rate: z.number().min(0).max(1).nullable().describe('Of the attempts; null without attempts'),
        latency_p50_ms: z.number().nullable().describe('Median duration of the successful attempts'),
        latency_p95_ms: z
          .number()
          .nullable()
          .describe('Duration in milliseconds that 95 % of the successful attempts do not exceed; null without one'),
      })
      .describe('Counts since the creation, and figures of the last hours'),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_by: z.string().nullable().describe('The principal that created it; null if it is unknown'),
    created_by_client: z.string().nullable().describe('The application that acted for the user'),
    depends_on_session: z
      .string()
      .nullable()
      .describe(
        'The session of the application that made it. When it ends, the subscription is disabled within 15 seconds; ' +
          'another caller that sets `status` to `active` takes it over',
      ),
    warnings: z
      .array(z.string())
      .describe(
        'What may not be intended: no secret, a short secret, credentials removed because `endpoint` has changed, or a ' +
          'session on which it depends',
      ),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'WebhookSubscription' })

/** The response to a creation: with the secret, if the request let the platform generate it. */
export const CreatedSubscription = Subscription.extend({
  secret: z.string().optional().describe('The secret made by `generate_secret`, shown in this response only'),
}).meta({ id: 'CreatedWebhookSubscription' })

export const NewSubscription = z
  .strictObject({
    delivery: z.enum(deliveryModes).default('push').meta(deliveryMeta),
    endpoint: webAddress(2048).optional().describe('Required unless `delivery` is `poll`'),
    secret: webhookSecret.optional().describe('Secret that signs deliveries; without one they are not signed'),
    generate_secret: z
      .boolean()
      .default(false)
      .describe('Generates a strong secret, which the response shows; not together with `secret`'),
    events: eventKindList,
    filter: EventFilter.nullable()
      .default(null)
      .describe('Conditions that the payload of an event must meet; null: every event of the kinds'),
    description: text(500).nullable().default(null).describe('Purpose, for people'),
    customer_id: text(200)
      .nullable()
      .default(null)
      .describe('Your own identifier of the customer who may manage it in the portal; it never changes'),
    customer_filter: EventFilter.nullable()
      .default(null)
      .describe('Conditions besides `filter` that the customer neither sees nor changes; with `customer_id` only'),
    headers: customHeaders
      .default({})
      .describe('Your own header fields of each delivery, at most 20; values are never shown again'),
    authentication: NewWebhookAuthentication.nullable()
      .default(null)
      .describe('How deliveries authenticate at the endpoint; null: only by their signature'),
    rate_limit: rateLimit().default(null),
    ordering: z.enum(orderings).default('best_effort').meta(orderingMeta),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .refine(({ delivery, endpoint }) => delivery === 'poll' || endpoint !== undefined, {
    path: ['endpoint'],
    message: 'is required',
    // reported together with other errors
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .refine(({ secret, generate_secret: generates }) => secret === undefined || !generates, {
    path: ['generate_secret'],
    message: 'cannot be combined with `secret`; send one of them',
  })
  .refine(({ customer_id: customer, customer_filter: filter }) => customer !== null || filter === null, {
    path: ['customer_filter'],
    message: 'requires `customer_id`',
  })
  .meta({ id: 'NewWebhookSubscription' })

export const SubscriptionPatch = z.strictObject({
  delivery: z.enum(deliveryModes).optional().meta(deliveryMeta),
  endpoint: webAddress(2048)
    .optional()
    .describe(
      'A change of more than the query removes the custom headers and the authentication that do not come with it; a new origin (scheme, host or port) the secret too',
    ),
  secret: webhookSecret
    .nullable()
    .optional()
    .describe('A new secret, which replaces the old one at once; null removes it, so that deliveries are not signed'),
  events: eventKindList.optional(),
  filter: EventFilter.nullable().optional().describe('Replaces the whole filter; null removes it'),
  customer_filter: EventFilter.nullable()
    .optional()
    .describe('Replaces the whole filter that the customer does not see; null removes it'),
  status: z
    .enum(['active', 'disabled'])
    .optional()
    .describe('`disabled` stops deliveries; `active` resumes them, and pending ones go on at once'),
  description: text(500).nullable().optional().describe('Purpose, for people; null removes it'),
  headers: headersPatch
    .nullable()
    .optional()
    .describe('Header fields to set, or to remove by null; null in place of the object removes all'),
  authentication: NewWebhookAuthentication.nullable().optional().describe('Replaces all of it; null removes it'),
  rate_limit: rateLimit().optional(),
  ordering: z.enum(orderings).optional().meta(orderingMeta),
  metadata: metadataPatch(),
  external_id: text(200).nullable().optional(),
})

export const EventKind = z
  .object({
    kind: z.string().describe('The name by which subscriptions select it'),
    summary: z.string().describe('When it happens, in a sentence'),
    schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the payload'),
    example: z.record(z.string(), z.unknown()).describe('A payload'),
  })
  .meta({ id: 'EventKind' })

export const webhookPath = z.object({ webhook_id: id('wh') })
