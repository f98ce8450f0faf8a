import { outboundConfig, rejectPrivateRanges } from '@wp/outbound'
import { brokerConfig, databaseConfig, integer, ownKekRule, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'
import { defaultHoldSchedule } from './delivery/endpoint-health.ts'
import { defaultRetrySchedule } from './delivery/retry-schedule.ts'

/** A comma-separated list of seconds, such as `5,300,1800`. */
const secondsList = (defaults: readonly number[]) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?(\s*,\s*\d+(\.\d+)?)*$/, 'must be seconds separated by commas')
    .transform((value) => value.split(',').map(Number))
    .default([...defaults])

export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...sealingConfig,
    ...outboundConfig,
    /** Pauses between attempts. */
    RETRY_SCHEDULE_SECONDS: secondsList(defaultRetrySchedule),
    /** Consecutive holds of an endpoint, the first after five consecutive failures. */
    HOLD_SCHEDULE_SECONDS: secondsList(defaultHoldSchedule),
    ATTEMPT_TIMEOUT_SECONDS: integer(1, 60).default(15),
    /** Longer than an attempt, so that most leases need no renewal. */
    LEASE_SECONDS: integer(2, 300).default(20),
    /** Attempts in flight per process. */
    DELIVERY_CONCURRENCY: integer(1, 4_096).default(512),
    /** Transactions at once that fan out events. */
    FAN_OUT_CONCURRENCY: integer(1, 64).default(4),
    /** Time after which the broker redelivers events that a stopped replica had not acknowledged. */
    ACK_WAIT_SECONDS: integer(1, 300).default(6),
    /** A replay waits while its subscription has so many pending deliveries; 0 blocks every replay. */
    REPLAY_BACKLOG: integer(0, 1_000_000).default(1_000),
    DELIVERY_RETENTION_DAYS: integer(1, 3_650).default(30),
  })
  .refine(...ownKekRule)
  .superRefine(rejectPrivateRanges)
  .refine((value) => value.LEASE_SECONDS > value.ATTEMPT_TIMEOUT_SECONDS, {
    path: ['LEASE_SECONDS'],
    message: 'must be more than ATTEMPT_TIMEOUT_SECONDS',
  })

export type Config = z.output<typeof config>
