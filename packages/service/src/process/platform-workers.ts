import { enforcesMeters, type ServiceName } from '@wp/contracts'
import type { Database } from '@wp/database'
import { createRelay } from '@wp/events'
import { createBackgroundWorkers, platformRetention } from '@wp/jobs/background'
import { createDeletionConsumer, createDeletionWorker } from '@wp/jobs/data-deletion'
import type { Metrics, Worker } from '@wp/runtime'
import { createRotateEncryptionPass } from '../secrets/rotate-encryption.ts'
import type { Logger } from '../telemetry/logger.ts'
import { createMeterLimitsConsumer, createPlanLimitsConsumer } from './limits-consumers.ts'
import type { Service } from './service.ts'

interface Options {
  /** The name of the service, also the producer in the subjects of its events. */
  name: ServiceName
  log: Logger
  metrics: Metrics
  /** Time for which rows of a workspace may still be added after its deletion started. */
  deletionSettleMs: number
}

const rotationPollMs = 600_000
const poolGaugesPollMs = 5_000

/**
 * Creates the workers of the declared background work of a service, and those that every service runs on its platform
 * tables: the relay of its outbox where it has a broker connection, retention, the gauges of its pools, the deletion of
 * workspaces, the limits of plans and meters, and encryption-key rotation where it stores sealed values. None without a
 * database.
 */
export function createPlatformWorkers(
  {
    database,
    bus,
    cells = [],
    sealing,
    workspaceDeletion: policy,
    onPlanLimitsChanged: onChanged,
    onMeterLimitChanged,
    jobs = [],
    retention = [],
    schedules = [],
  }: Service,
  { name, log, metrics, deletionSettleMs: settleMs }: Options,
): Worker[] {
  if (database === undefined) return []
  const common = { database, service: name, log, metrics }
  return [
    ...(bus === undefined ? [] : [createRelay({ ...common, bus, cells })]),
    ...createBackgroundWorkers(
      {
        jobs,
        retention: [...platformRetention, ...retention],
        schedules: [
          ...schedules,
          { name: 'pool gauges', everyMs: poolGaugesPollMs, pass: createPoolGaugesPass(common) },
          ...(sealing === undefined
            ? []
            : [
                {
                  name: 'encryption-key rotation',
                  everyMs: rotationPollMs,
                  pass: createRotateEncryptionPass({ ...sealing, log, metrics }),
                },
              ]),
        ],
      },
      { ...common, bus },
    ),
    createDeletionWorker({ ...common, service: name, policy }),
    ...(bus === undefined
      ? []
      : [bus, ...cells].map((each) => createPlanLimitsConsumer({ ...common, service: name, bus: each, onChanged }))),
    ...(bus === undefined || !enforcesMeters(name)
      ? []
      : [bus, ...cells].map((each) =>
          createMeterLimitsConsumer({ ...common, service: name, bus: each, onChanged: onMeterLimitChanged }),
        )),
    // Auth starts the deletions of all services, its own as the last.
    ...(bus === undefined || name === 'auth'
      ? []
      : [bus, ...cells].map((each) =>
          createDeletionConsumer({ ...common, service: name, bus: each, policy, settleMs }),
        )),
  ]
}

/** Creates the pass that reports how the connections of a database's pools are used. */
export function createPoolGaugesPass({
  database,
  metrics,
}: {
  database: Pick<Database, 'poolUsage'>
  metrics: Metrics
}): () => Promise<'idle'> {
  return async () => {
    for (const { name: pool, size, inUse, waiting } of database.poolUsage()) {
      metrics.gauge('database_pool_size', size, { pool })
      metrics.gauge('database_pool_in_use', inUse, { pool })
      metrics.gauge('database_pool_waiting', waiting, { pool })
    }
    return 'idle'
  }
}
