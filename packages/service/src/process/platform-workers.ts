import { createRelay, createRetention } from '@wp/events'
import { createLoop, type Metrics, type Worker } from '@wp/runtime'
import { createRotateEncryptionPass } from '../secrets/rotate-encryption.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Service } from './service.ts'

interface Options {
  /** The name of the service, also the producer in the subjects of its events. */
  name: string
  log: Logger
  metrics: Metrics
}

const rotationPollMs = 600_000

/**
 * Creates the workers that every service runs on its platform tables: the relay of its outbox where it has a broker
 * connection, retention, and encryption-key rotation where it stores sealed values. None without a database.
 */
export function createPlatformWorkers(
  { database, bus, cells = [], sealing }: Service,
  { name, log, metrics }: Options,
): Worker[] {
  if (database === undefined) return []
  const common = { database, service: name, log, metrics }
  return [
    ...(bus === undefined ? [] : [createRelay({ ...common, bus, cells })]),
    createRetention(common),
    ...(sealing === undefined
      ? []
      : [
          createLoop({
            name: 'encryption-key rotation',
            pass: createRotateEncryptionPass({ ...sealing, log, metrics }),
            pollMs: rotationPollMs,
            log,
          }),
        ]),
  ]
}
