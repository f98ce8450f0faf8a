import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'

export const deliveryStates = ['pending', 'delivered', 'failed', 'skipped', 'cancelled'] as const

const Attempt = z
  .object({
    id: id('att'),
    number: z.number().int().describe('Number of the attempt of this delivery, from 1'),
    outcome: z.enum(['delivered', 'failed']).describe('`delivered` if the receiver responded with 2xx'),
    status_code: z.number().int().nullable().describe('Status of the response; null if none arrived'),
    error_kind: z
      .string()
      .nullable()
      .describe('What failed, such as `timeout`, `connect`, `tls` or `blocked_address`; null if a response arrived'),
    error_message: z.string().nullable().describe('The failure in words; null if a response arrived'),
    address: z
      .string()
      .nullable()
      .describe('IP address that was contacted; null if no connection was made, or if it is not public'),
    timings: z
      .object({
        dns_ms: z.number().nullable().describe('Resolution of the name; null if it was not needed or not reached'),
        connect_ms: z.number().nullable().describe('TCP connection; null if one was reused, or if it was not reached'),
        tls_ms: z
          .number()
          .nullable()
          .describe('TLS handshake; null if a connection was reused, or if it was not reached'),
        first_byte_ms: z
          .number()
          .nullable()
          .describe('From the request to the first byte of the response; null if none arrived'),
        total_ms: z.number().describe('The whole attempt'),
      })
      .describe('Durations of the stages, in milliseconds'),
    response_headers: z.record(z.string(), z.string()).describe('Header fields of the response; empty if none arrived'),
    response_body: z
      .string()
      .nullable()
      .describe('Beginning of the body of the response; null if it is empty or none arrived'),
    response_truncated: z.boolean().describe('True if the body was longer than what was read'),
    started_at: timestamp().describe('Start of the attempt'),
    finished_at: timestamp().describe('End of the attempt'),
  })
  .meta({ id: 'DeliveryAttempt' })

const deliveryFields = {
  request_id: id('dlv'),
  webhook_id: id('wh'),
  event_id: id('evt'),
  event: z.string().describe('Kind of the event'),
  status: z
    .enum(deliveryStates)
    .describe(
      '`pending` until it is `delivered` or its attempts are exhausted (`failed`); `skipped` while the subscription is disabled; `cancelled` with its deletion',
    ),
  attempt_count: z.number().int().describe('Attempts so far'),
  next_attempt_at: timestamp()
    .nullable()
    .describe('When the next attempt is due; null during an attempt, and if there is none'),
  last_status_code: z.number().int().nullable().describe('Status of the last response; null before one arrived'),
  last_error_kind: z
    .string()
    .nullable()
    .describe('What failed in the last attempt; null if a response arrived, and before the first'),
  occurred_at: timestamp().describe('When the event happened'),
  delivered_at: timestamp().nullable().describe('When the receiver accepted it; null until then'),
  created_at: timestamp(),
  updated_at: timestamp(),
}

export const Delivery = z.object(deliveryFields).meta({ id: 'Delivery' })
export const DeliveryDetail = z
  .object({
    ...deliveryFields,
    body: z.string().describe('The payload as it is sent, byte for byte'),
    attempts: z.array(Attempt).describe('The attempts, oldest first'),
  })
  .meta({ id: 'DeliveryWithAttempts' })

/** Deliveries to a receiver that polls. */
export const PolledDeliveries = z
  .object({
    items: z
      .array(
        z.object({
          request_id: id('dlv'),
          event_id: id('evt'),
          event: z.string().describe('Kind of the event'),
          body: z.string().describe('The payload, byte for byte as it would be sent to an endpoint'),
          occurred_at: timestamp().describe('When the event happened'),
        }),
      )
      .describe('The next deliveries, oldest first'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Acknowledges these items when it is sent with the next request; null without items'),
    done: z.boolean().describe('True if no further deliveries are waiting'),
  })
  .meta({ id: 'PolledDeliveries' })

export const deliveryPath = z.object({ request_id: id('dlv') })
