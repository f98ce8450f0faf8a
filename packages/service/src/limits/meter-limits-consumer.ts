import { meterLimitChanged, type ServiceName } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import { type MeterLimit, storeMeterLimit } from '@wp/database/meter-limits'
import { type Bus, createConsumer, type EventConsumer } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'

/** The events by which a service learns of exhausted meters, and the purpose of its consumer. */
export const meterLimitsSubscription = {
  purpose: 'meter-limits',
  producer: 'billing',
  kinds: [meterLimitChanged.kind],
} as const satisfies { purpose: string; producer: ServiceName; kinds: readonly string[] }

/** Called in the transaction that stores the changed limit of a meter. */
export type MeterLimitListener = (tx: Transaction, workspaceId: string, limit: MeterLimit) => void | Promise<void>

interface MeterLimitsConsumerOptions {
  database: Database
  /** The broker of the cell whose workspaces have the limits. */
  bus: Bus
  service: ServiceName
  onChanged?: MeterLimitListener | undefined
  log: Log
  metrics: Metrics
}

/** Creates the consumer that stores exhausted meters in the database of a service. A late event changes nothing. */
export function createMeterLimitsConsumer({
  database,
  onChanged,
  ...options
}: MeterLimitsConsumerOptions): EventConsumer {
  return createConsumer({
    ...options,
    ...meterLimitsSubscription,
    database: database.background,
    async handle({ workspace_id: workspaceId, data }, tx) {
      const { meter, exhausted, period_end, version } = meterLimitChanged.data.parse(data)
      const limit = { meter, exhausted, periodEnd: new Date(period_end), version }
      if (await storeMeterLimit(tx.query, workspaceId, limit)) await onChanged?.(tx, workspaceId, limit)
    },
  })
}
