import { type DomainEvent, meterLimitChanged, planLimitsChanged, type ServiceName } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import { type MeterLimit, storeMeterLimit } from '@wp/database/meter-limits'
import { type StoredPlanLimits, storePlanLimits } from '@wp/database/plan-limits'
import { type Bus, createConsumer, type EventConsumer } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'

interface LimitsSubscription {
  purpose: string
  producer: ServiceName
  kinds: readonly string[]
}

/** The events by which a service learns of the limits of a plan, and the purpose of its consumer. */
export const planLimitsSubscription = {
  purpose: 'plan-limits',
  producer: 'billing',
  kinds: [planLimitsChanged.kind],
} as const satisfies LimitsSubscription

/** The events by which a service learns of exhausted meters, and the purpose of its consumer. */
export const meterLimitsSubscription = {
  purpose: 'meter-limits',
  producer: 'billing',
  kinds: [meterLimitChanged.kind],
} as const satisfies LimitsSubscription

/** Called in the transaction that stores the changed limits of a workspace. */
export type LimitsListener<L> = (tx: Transaction, workspaceId: string, limits: L) => void | Promise<void>

interface LimitsConsumerOptions<L> {
  database: Database
  /** The broker of the cell whose workspaces have the limits. */
  bus: Bus
  service: ServiceName
  onChanged?: LimitsListener<L> | undefined
  log: Log
  metrics: Metrics
}

/** Creates the consumer that stores the limits of plans in the database of a service. A late event changes nothing. */
export const createPlanLimitsConsumer = ({
  database,
  onChanged,
  ...options
}: LimitsConsumerOptions<StoredPlanLimits>): EventConsumer =>
  createConsumer({
    ...options,
    ...planLimitsSubscription,
    database: database.background,
    async handle(event, tx) {
      const limits = readLimits(event)
      if (await storePlanLimits(tx.query, event.workspace_id, limits)) await onChanged?.(tx, event.workspace_id, limits)
    },
  })

/** Creates the consumer that stores exhausted meters in the database of a service. A late event changes nothing. */
export const createMeterLimitsConsumer = ({
  database,
  onChanged,
  ...options
}: LimitsConsumerOptions<MeterLimit>): EventConsumer =>
  createConsumer({
    ...options,
    ...meterLimitsSubscription,
    database: database.background,
    async handle({ workspace_id: workspaceId, data }, tx) {
      const { meter, exhausted, period_end, version } = meterLimitChanged.data.parse(data)
      const limit = { meter, exhausted, periodEnd: new Date(period_end), version }
      if (await storeMeterLimit(tx.query, workspaceId, limit)) await onChanged?.(tx, workspaceId, limit)
    },
  })

function readLimits({ data }: DomainEvent): StoredPlanLimits {
  const { plan, version, limits } = planLimitsChanged.data.parse(data)
  return {
    plan,
    version,
    credentialPerMinute: limits.credential_per_minute,
    workspacePerMinute: limits.workspace_per_minute,
    quotas: { ...limits.quotas, seats: limits.seats },
    auditRetentionDays: limits.audit_retention_days,
  }
}
