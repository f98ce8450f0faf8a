import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'
import { type WebhookEventKind, webhookEvents } from '../events/webhook-events.ts'
import type { Components } from './schema/components.ts'
import { type Json, pascalCase } from './schema/json.ts'

/** Header fields of a delivery, by the name of their component. */
const deliveryHeaders: Readonly<
  Record<string, { name: string; description: string; example: string; required?: true }>
> = {
  WebhookEvent: {
    name: 'x-webhook-event',
    description: 'Kind of the event',
    example: 'DATA_SYNC_FINISHED',
    required: true,
  },
  WebhookRequestId: {
    name: 'x-webhook-request-id',
    description: 'Identifies the delivery, and is the same for every attempt: ignore one you have processed',
    example: 'dlv_01h455vb4pex5vsknk084sn02q',
    required: true,
  },
  WebhookEventId: {
    name: 'x-webhook-event-id',
    description: 'Identifies the event, and is the same for every subscription that receives it',
    example: 'evt_01h455vb4pex5vsknk084sn02q',
    required: true,
  },
  WebhookAttempt: {
    name: 'x-webhook-attempt',
    description: 'Number of the attempt, from 1',
    example: '1',
    required: true,
  },
  WebhookTrace: {
    name: 'traceparent',
    description:
      'Continues the trace of the request that caused the event (W3C Trace Context). Absent without such a request',
    example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  WebhookSignature: {
    name: 'x-webhook-signature',
    description:
      'HMAC-SHA-256 of the raw body with the secret of the subscription, 64 lowercase hexadecimal digits. Absent without a secret',
    example: '5d41402abc4b2a76b9719d911017c592ae3f1a0c5d41402abc4b2a76b9719d91',
  },
  WebhookSignaturePrevious: {
    name: 'x-webhook-signature-previous',
    description: 'The same with the previous secret, while both are valid after a rotation',
    example: 'ae3f1a0c5d41402abc4b2a76b9719d915d41402abc4b2a76b9719d911017c592',
  },
  StandardWebhookId: {
    name: 'webhook-id',
    description: 'The delivery, for libraries of Standard Webhooks (https://www.standardwebhooks.com)',
    example: 'dlv_01h455vb4pex5vsknk084sn02q',
  },
  StandardWebhookTimestamp: {
    name: 'webhook-timestamp',
    description: 'Time of the attempt, in seconds since 1970; part of what `webhook-signature` signs',
    example: '1767605400',
  },
  StandardWebhookSignature: {
    name: 'webhook-signature',
    description: 'One `v1,<base64>` for each valid secret, separated by spaces (Standard Webhooks)',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
}

/** Returns the `webhooks` of the document: the request of a delivery of each event kind. */
export const webhooksOf = (components: Components): Json =>
  Object.fromEntries(
    Object.keys(webhookEvents).map((kind) => [kind, { post: deliveryOf(kind as WebhookEventKind, components) }]),
  ) // its own keys

function deliveryOf(kind: WebhookEventKind, components: Components): Json {
  const { summary, data, example } = webhookEvents[kind]
  const body = z.object({
    event: z.literal(kind).describe('Kind of the event'),
    workspace_id: id('ws'),
    request_id: id('dlv'),
    payload: data.extend({ occurred_at: timestamp().describe('When the event happened') }).describe('What happened'),
  })
  const schema = components.addSchema(
    `${pascalCase(kind.toLowerCase())}Delivery`,
    components.schemaOf(body, 'output') as Json, // the schema of an object without an id
    'output',
  )
  return {
    operationId: `webhook.${kind}`,
    tags: ['webhooks'],
    summary,
    description:
      'Sent to the `endpoint` of each subscription that selects this kind. Verify the signature over the raw body, and respond with 2xx within 15 seconds; any other response is retried. A payload over 256 KiB is replaced by `truncated: true` and the `url` of the resource.',
    security: [],
    parameters: Object.entries(deliveryHeaders).map(([component, { required = false, ...header }]) =>
      components.add('parameters', component, { in: 'header', required, ...header, schema: { type: 'string' } }),
    ),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleOf(kind, example) } },
    },
    responses: {
      '2XX': { description: 'Delivered' },
      '410': { description: 'The endpoint is gone: the subscription is disabled' },
      default: { description: 'Failed: the delivery is attempted again' },
    },
  }
}

const exampleOf = (event: string, { id: subject, status, ...rest }: Readonly<Record<string, unknown>>): Json => ({
  event,
  workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
  request_id: 'dlv_01h455vb4pex5vsknk084sn02q',
  payload: { id: subject, status, occurred_at: '2026-01-05T09:30:00.000Z', ...rest },
})
