import { z } from 'zod'
import { declareEndpoints, servedBy } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { listQuery, text, timestamp } from '../core/shape/shape.ts'

/** The path of the addresses of test receivers; the token is in the query. */
export const testReceiverPath = '/v1/webhooks/receive'

/** Requests of a receiver that are kept: the newest. */
export const maxReceivedRequests = 50

/** Days after its creation for which a receiver accepts requests. */
export const testReceiverDays = 7

/** Largest body that a receiver accepts: that of the largest delivery. Its first 64 KiB are kept. */
export const maxReceivedBytes = 262_144

/** The headers of a request from outside that are kept. A delivery of the platform is kept with all of its headers. */
export const receivedHeaders = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-webhook-signature',
  'x-webhook-signature-previous',
  'x-webhook-event',
  'x-webhook-event-id',
  'x-webhook-request-id',
  'x-webhook-attempt',
] as const

export const signatureStates = ['valid', 'expired', 'invalid', 'unsigned'] as const

export const TestReceiver = z
  .object({
    receiver_id: id('rcv'),
    endpoint: z.string().describe('The address, for `endpoint` of a subscription. Treat it as a secret'),
    received: z.number().int().describe('Requests so far'),
    last_received_at: timestamp().nullable().describe('Time of the last request; null before the first'),
    created_at: timestamp(),
    expires_at: timestamp().describe('After this time, deliveries are answered with 410'),
  })
  .meta({ id: 'TestReceiver' })

export const ReceivedRequest = z
  .object({
    id: id('rrq'),
    received_at: timestamp().describe('When it arrived'),
    headers: z.record(z.string(), z.string()).describe('Values of secrets are masked'),
    body: z.string().describe('At most the first 64 KiB'),
    body_bytes: z.number().int().describe('Length of the whole body, in bytes'),
    signature: z
      .enum(signatureStates)
      .describe(
        '`valid`: made with the secret of a subscription that delivers to this address; `expired`: made more than 5 minutes before it arrived',
      ),
  })
  .meta({ id: 'ReceivedRequest' })

const receiverPath = z.object({ receiver_id: id('rcv') })

/** Test receivers: addresses of the platform that show what arrived. */
export const webhookReceivers = servedBy(
  'webhook-delivery',
  declareEndpoints('webhooks', {
    listReceivers: {
      method: 'GET',
      path: '/v1/webhooks/receivers',
      summary: 'List test receivers',
      description: 'Lists the receivers of the workspace that have not expired, newest first.',
      scope: 'webhooks:read',
      query: listQuery({}),
      list: TestReceiver,
    },
    createReceiver: {
      method: 'POST',
      path: '/v1/webhooks/receivers',
      summary: 'Create a test receiver, whose address shows what arrived',
      description: `Use \`endpoint\` as that of a subscription: its deliveries then arrive at the platform itself, which verifies the signature. The address also accepts POST requests from outside, at most 120 a minute. The newest ${maxReceivedRequests} requests are kept, for ${testReceiverDays} days.`,
      scope: 'webhooks:write',
      created: TestReceiver,
      location: '/v1/webhooks/receivers/{receiver_id}',
      errors: ['quota_exceeded'],
      audit: { action: 'webhook_receiver.created', target: 'webhook_receiver', field: 'receiver_id' },
    },
    getReceiver: {
      method: 'GET',
      path: '/v1/webhooks/receivers/{receiver_id}',
      summary: 'Read a test receiver',
      description: 'The response has the number of requests so far, and the time of the last.',
      scope: 'webhooks:read',
      params: receiverPath,
      volatile: ['received', 'last_received_at'],
      ok: TestReceiver,
    },
    deleteReceiver: {
      method: 'DELETE',
      path: '/v1/webhooks/receivers/{receiver_id}',
      summary: 'Delete a test receiver and what arrived',
      description: 'Further deliveries to it are answered with 410, which disables their subscription.',
      scope: 'webhooks:write',
      params: receiverPath,
      deleted: 'receiver_id',
      audit: { action: 'webhook_receiver.deleted', target: 'webhook_receiver', field: 'receiver_id' },
    },
    listReceivedRequests: {
      method: 'GET',
      path: '/v1/webhooks/receivers/{receiver_id}/requests',
      summary: 'List the requests that arrived at a test receiver',
      description: `The newest ${maxReceivedRequests}, newest first, with headers, body and whether the signature is valid.`,
      scope: 'webhooks:read',
      params: receiverPath,
      query: listQuery({}),
      list: ReceivedRequest,
    },
    receive: {
      method: 'POST',
      path: testReceiverPath,
      summary: 'The address of a test receiver',
      description: 'Accepts any body of up to 256 KiB. The token in the address is all it needs.',
      credentials: 'none',
      query: z.strictObject({
        token: text(100).describe('The part of the address that names the receiver'),
      }),
      cellParameter: 'token',
      input: 'stream',
      contentTypes: ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream'],
      headers: receivedHeaders,
      bare: z.object({ received: z.literal(true).describe('Always true') }),
      errors: ['not_found', 'payload_too_large', 'rate_limited'],
    },
  }),
)
