import { type DomainEvent, planLimitsChanged, type ServiceName } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import { type StoredPlanLimits, storePlanLimits } from '@wp/database/plan-limits'
import { type Bus, createConsumer, type EventConsumer } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'

/** The events by which a service learns of the limits of a plan, and the purpose of its consumer. */
export const planLimitsSubscription = {
  purpose: 'plan-limits',
  producer: 'billing',
  kinds: [planLimitsChanged.kind],
} as const satisfies { purpose: string; producer: ServiceName; kinds: readonly string[] }

/** Called in the transaction that stores the changed limits of a workspace. */
export type PlanLimitsListener = (
  tx: Transaction,
  workspaceId: string,
  limits: StoredPlanLimits,
) => void | Promise<void>

interface PlanLimitsConsumerOptions {
  database: Database
  /** The broker of the cell whose workspaces have the limits. */
  bus: Bus
  service: ServiceName
  onChanged?: PlanLimitsListener | undefined
  log: Log
  metrics: Metrics
}

/** Creates the consumer that stores the limits of plans in the database of a service. A late event changes nothing. */
export function createPlanLimitsConsumer({
  database,
  onChanged,
  ...options
}: PlanLimitsConsumerOptions): EventConsumer {
  return createConsumer({
    ...options,
    ...planLimitsSubscription,
    database: database.background,
    async handle(event, tx) {
      const limits = readLimits(event)
      if (!(await storePlanLimits(tx.query, event.workspace_id, limits))) return
      await onChanged?.(tx, event.workspace_id, limits)
    },
  })
}

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
