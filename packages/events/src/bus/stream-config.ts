import type { StreamConfig } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { streamName, streamSubject } from './subject.ts'

export interface StreamSettings {
  /** Number of replicas in the broker cluster, 1 to 5. */
  replicas: number
  /** Size in bytes at which the stream rejects new events, which then wait in the outbox. */
  maxBytes: number
}

const maxAgeDays = 7
const defaults: StreamSettings = { replicas: 1, maxBytes: 1024 ** 3 }

export type EventStreamConfig = ReturnType<typeof streamConfig> & Pick<Partial<StreamConfig>, 'allow_atomic'>

/** Returns the configuration of a shard's stream. Uses only settings supported by nats-server 2.9. */
export function streamConfig(shard: string, settings: Partial<StreamSettings> = {}) {
  const { replicas, maxBytes } = { ...defaults, ...settings }
  return {
    name: streamName(shard),
    subjects: [streamSubject(shard)],
    storage: 'file',
    retention: 'limits',
    // A rejected new event stays in the outbox; discarding the oldest would lose it for consumers that are behind.
    discard: 'new',
    max_age: nanos(maxAgeDays * 86_400_000),
    max_bytes: maxBytes,
    duplicate_window: nanos(600_000),
    num_replicas: replicas,
  } satisfies Partial<StreamConfig>
}

/** Returns the settings that differ. The broker silently ignores settings it does not support. */
export function findMismatches(expected: object, actual: object): string[] {
  const actualConfig: Record<string, unknown> = { ...actual }
  return Object.entries(expected)
    .filter(([name, value]) => JSON.stringify(actualConfig[name]) !== JSON.stringify(value))
    .map(([name, value]) => `${name} is ${JSON.stringify(actualConfig[name])} instead of ${JSON.stringify(value)}`)
}
