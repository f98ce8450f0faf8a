import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { listQuery, timestamp } from '../core/shape/shape.ts'
import { checkTimeRange, timeInput } from '../core/shape/time-input.ts'
import { Delivery, deliveryStates } from './delivery-shapes.ts'
import { eventKindFilter, webhookPath } from './shapes.ts'

const maxCount = 10_000

const BoundedCount = z
  .object({
    count: z.number().int().min(0).max(maxCount).describe('Number of deliveries, 10,000 at most'),
    is_lower_bound: z.boolean().describe('True if there are more: counting stops at 10,000'),
  })
  .meta({ id: 'BoundedCount' })

const statisticIntervals = ['hour', 'day'] as const

/** Longest range of statistics: hourly counts are kept for this time. */
export const maxStatisticsDays = 31

const StatisticsPoint = z.object({
  at: timestamp().describe('Start of the hour or day (UTC)'),
  delivered: z.number().int().describe('Successful attempts'),
  failed: z.number().int().describe('Failed attempts'),
  latency_p50_ms: z.number().nullable().describe('Median duration of the successful attempts'),
  latency_p95_ms: z
    .number()
    .nullable()
    .describe('Duration in milliseconds that 95 % of the successful attempts do not exceed; null without one'),
})

/** Deliveries across subscriptions, and counts of deliveries and attempts. */
export const deliveryReports = declareEndpoints('webhooks', {
  listAllDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/deliveries',
    summary: 'List the deliveries to all subscriptions, newest first',
    description: 'Contains deliveries to subscriptions that were deleted, until they expire.',
    scope: 'webhooks:read',
    query: listQuery({
      webhook_id: id('wh').optional(),
      status: z.enum(deliveryStates).optional(),
      event: eventKindFilter(),
      event_id: id('evt').optional(),
      since: timeInput().optional(),
      until: timeInput().optional(),
    }).superRefine(checkTimeRange),
    list: Delivery,
  },
  countDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/webhooks/{webhook_id}/delivery-counts',
    summary: 'Count the deliveries that a replay of a time range would send',
    description: 'Counts the deliveries created at `since` or later and before `until`, by status.',
    scope: 'webhooks:read',
    portal: true,
    params: webhookPath,
    query: z.strictObject({ since: timeInput(), until: timeInput() }).superRefine(checkTimeRange),
    ok: z
      .object({ webhook_id: id('wh'), failed: BoundedCount, skipped: BoundedCount, delivered: BoundedCount })
      .meta({ id: 'DeliveryCounts' }),
  },
  getStatistics: {
    method: 'GET',
    path: '/v1/webhooks/webhooks/{webhook_id}/stats',
    summary: 'Read the attempts of a subscription over time',
    description:
      'Successful and failed attempts by hour or day, also those without any. Each point covers the whole hour or day that ' +
      `it begins. The range is the current hour and the 23 before it by default, ${maxStatisticsDays} days at most.`,
    scope: 'webhooks:read',
    portal: true,
    params: webhookPath,
    query: z.strictObject({
      since: timeInput().optional(),
      until: timeInput().optional(),
      interval: z.enum(statisticIntervals).default('hour').describe('Width of a point'),
    }),
    ok: z
      .object({
        webhook_id: id('wh'),
        since: timestamp().describe('Start of the range'),
        until: timestamp().describe('End of the range, not included'),
        interval: z.enum(statisticIntervals).describe('Width of a point'),
        points: z.array(StatisticsPoint).describe('One point for each hour or day of the range, oldest first'),
      })
      .meta({ id: 'WebhookStatistics' }),
  },
})
