import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'

export const deliveryStates = ['pending', 'delivered', 'failed', 'skipped', 'cancelled'] as const

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

export const Delivery = z.object(deliveryFields).meta({ id: 'Delivery' })
export const DeliveryDetail = z
  .object({ ...deliveryFields, body: z.string(), attempts: z.array(Attempt) })
  .meta({ id: 'DeliveryWithAttempts' })

/** Deliveries to a receiver that polls. */
export const PolledDeliveries = z
  .object({
    items: z.array(
      z.object({
        request_id: id('dlv'),
        event_id: id('evt'),
        event: z.string(),
        body: z.string().meta({ description: 'The payload, byte for byte as it would be sent to an endpoint' }),
        occurred_at: timestamp(),
      }),
    ),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Acknowledges these items when it is sent with the next request; null without items' }),
    done: z.boolean().meta({ description: 'True if no further deliveries are waiting' }),
  })
  .meta({ id: 'PolledDeliveries' })

export const deliveryPath = z.object({ request_id: id('dlv') })
